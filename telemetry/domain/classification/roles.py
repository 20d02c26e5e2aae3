"""Which role a key of an error body plays, by its name without case and underscores.

Collected from the error formats of RFC 9457, google.rpc.Status, AWS, Azure, OData, JSON:API, GraphQL, Stripe, Adyen,
PayPal, Slack, Discord, Salesforce, Zoho, WeChat, Alipay, Taobao, Baidu, Tencent Cloud, kintone, SAP, Spring, Rails,
Laravel, ASP.NET, Django REST framework, FastAPI and Kubernetes.
"""

from telemetry.domain.classification.plain import names

CODES = names(
    """
    code codes errorcode errorcodes errcode errno errornum errornumber errorno errorid errortype errtype
    errorname errorkey type title status statuscode httpstatus httpstatuscode httpcode reason reasons
    reasoncode category name subcode errorsubcode subtype declinecode failurecode failurereason resultcode
    resultcd returncode retcode ret rc scode class kind key i18nkey i18n state codename faultcode
    exceptiontype exception exceptionclass exceptionname typename __type @type error err policyname
    networkdeclinecode processorresponsecode processorresponsetext responsecode respcode rspcode rescode
    bizcode tradestatus infocode info messagekey messagecode msgcode msgid messageid errormessagekey
    numericcode apierrorcode internalcode reasonphrase statusreason grpcstatus grpccode sqlstate errmsgcode
    subresultcode finishreason blockreason stopreason incompletereason issuecode rejectreason rejectcode
    ordrejreason cxlrejreason resultstatus eventid txncode gatewaycode hostcode avscode refusalreasoncode
    refusalreason additionalcode errorcause level tag condition faultname functionerror errorclass
    errorgroup classification retmsg statustext failure domainreason problemtype subcodes categoryname
    typekey errormsg errmsg msg message text description errordescription returnmsg resultmsg shortmessage
    longmessage displaymessage returncodetext errordomain sqlcode label errortag
    """
)

TEXTS = names(
    """
    inner innerexception
    freetext
    data result libelle meldung fehler fehlermeldung nachricht hinweis beschreibung mensaje mensagem erreur
    messaggio message messages msg errmsg errormsg errormessage errormessages errordescription description
    detail details title text info desc errordesc errdesc errcodedes errcodedesc resultmsg resultmessage
    resultdesc reason errorinfo statusmessage submsg submessage retmsg returnmsg rtnmsg respmsg rspmsg
    respdesc faultstring faultmessage longmessage shortmessage hint explanation usermessage internalmessage
    developermessage cause error errors summary errorsummary displaymessage errortext errtext statustext
    note readablemessage localizedmessage friendlymessage errordetail errordetails moreinfo additionalinfo
    additionaldetails trace stack stacktrace exceptionmessage rejectreason statusdescription statusreason
    refusalreason failuremessage failurereason warning processorresponsetext responsetext responsemessage
    errorreason debugmessage issue returnmessage errorsummarytext userfacingmessage custommessage
    messagetext problem debuginfo debug lasterror sellermessage declinereason gatewayrejectionreason
    networkmessage content errorstring
    """
)

FIELDS = names(
    """
    field fieldname fields param parameter params paramname parametername pointer path loc source location
    property propertypath propertyname attribute attributename columnid target argument argumentname element
    requestpointer apiname jsonpath references datapath instancepath inputname column columnname jsonpointer
    attributenames fieldnames fieldpath fieldpathelements offendingfield invalidfield variable propertykey fieldid keys keypath locationpath elementpath
    badfield
    """
)

VALUES = names(
    """
    value received input rejectedvalue actual given invalidvalue attemptedvalue providedvalue inputvalue
    receivedvalue columnvalue parametervalue badvalue actualvalue found currentvalue
    """
)

CONSTRAINTS = names(
    """
    expected allowedvalues constraint issue expectedtype expectedvalue pattern allowed permittedvalues rule
    validator requirement example format
    """
)

CONTAINERS = names(
    """
    error errors err errs fault faults exception exceptions problem problems detail details cause causes
    innererror inner failure failures errormessages messages message violations fielderrors fieldviolations
    formerrors errordetails errordetail warnings issues issuelist validationerrors invalidparams
    invalidparameters nonfielderrors elements fielderror errorlist errorresponse errorinfo suberrors reasons
    usererrors mutationerrors mediausererrors inputerrors businesserrors rueckmeldungen rueckmeldung
    meldungen feedback rootcause failedreason response result status meta header head base msg description
    innererrors elementerrors validation contextinfo context additionalinfo parameters extensions data body
    responsemetadata outcome json embedded links
    """
)
"""Keys that hold what went wrong, so that what stands below them is no field of the call."""

PAYLOADS = names(
    """
    data result results items records rows documents hits objects list entries values content contents
    output outputs payload response responses resource resources files messages users orders issues events
    rates offers
    """
)

ECHOES = names(
    """
    requestid traceid correlationid request requestbody requestparams query self link links href url uri
    instance timestamp time date documentationurl helpurl moreinfourl infourl docurl doc docs requestlogurl
    version apiversion server host hostname headers args arguments nonce sign signature method spanid
    transactionid logid sessionid useragent ip region locale lang language debugid spankey supportid
    incidentid activityid rid clientrequestid xrequestid requestuuid responsetime took elapsed duration
    copyright support
    """
)
