"""What exception types mean, by simple name, across Python, JavaScript, Java, .NET, Go and their client libraries.

Weights: 88 says nearly all, 60 is outweighed by a clear sentence in the message, 40 by any.
"""

from telemetry.domain.classification.causes import Cause

TYPES: dict[tuple[Cause, int], str] = {
    (Cause.TIMEOUT_UNSENT, 88): """
        connecttimeout connecttimeouterror connecttimeoutexception connectiontimeouterror pooltimeout pooltimeouterror sqltransientconnectionexception httpconnecttimeoutexception
        connectionpooltimeoutexception connectionrequesttimeoutexception serverselectiontimeouterror mongoserverselectionerror mongotimeoutexception sequelizeconnectionacquiretimeouterror
        sequelizeconnectiontimedouterror connectionacquiretimeouterror resourcerequesttimeout opentimeout netopentimeout knextimeouterror waitqueuetimeouterror poolacquiretimeout querycanceled querycancelederror
        executiontimeout maxtimemsexpired poolexhaustederror acquiretimeouterror lockacquiretimeout
    """,
    (Cause.TIMEOUT, 70): """
        timeout timeouterror timeoutexception readtimeout readtimeouterror writetimeout writetimeouterror sockettimeoutexception sockettimeouterror sockettimeout servertimeouterror httptimeoutexception deadlineexceeded
        deadlineexceedederror apitimeouterror apitimeout requesttimeout requesttimeouterror networktimeout operationtimedout timeoutrejectedexception timelimitexceeded softtimelimitexceeded timeoutexpired scripttimeoutexception
        taskcanceledexception operationcanceledexception aborterror cancellederror cancelederror querytimeoutexception kafkatimeouterror statementtimeout timedoutexception timeouterrorexception readtimeoutexception
        gatewaytimeout lambdatimeout mcptimeouterror requesttimeoutexception sequelizetimeouterror connectiontimeout responsetimeout timedout asynctimeout headerstimeouterror bodytimeouterror
    """,
    (Cause.NETWORK_UNSENT, 84): """
        connecterror connectionrefusederror newconnectionerror nameresolutionerror gaierror unknownhostexception connectexception clientconnectorerror clientconnectordnserror clientconnectionresolveerror noroutetohostexception
        httphostconnectexception endpointconnectionerror connectionrefused nohostavailable nohostavailableexception allnodesfailedexception dnserror dnsexception resolveerror nameresolverror nobrokersavailable
        sequelizeconnectionrefusederror sequelizehostnotfounderror sequelizehostnotreachableerror brokernotavailableerror nonodesavailable proxyconnectionerror unresolvedaddressexception connectionnotestablished
    """,
    (Cause.NETWORK_UNSENT, 66): "sslerror sslhandshakeexception proxyerror clientconnectorsslerror ssleoferror clientproxyconnectionerror sslexception interfaceerror tlserror connectionclosedexception poolclosederror",
    (Cause.NETWORK, 68): """
        connectionreseterror connectionabortederror brokenpipeerror incompleteread chunkedencodingerror readerror writeerror remoteprotocolerror localprotocolerror protocolerror serverdisconnectederror clientoserror clientpayloaderror
        remotedisconnected badstatusline connectionclosederror connectionclosed connectionclosedok nohttpresponseexception autoreconnect networkerror connectionerror apiconnectionerror apiconnectionexception clientconnectionerror
        clientconnectionreseterror mongonetworkerror mongonetworktimeouterror connectionfailure communicationsexception mysqlnontransientconnectionexception disconnectederror connectionlost amqpconnectionerror streamlosterror connectionclosedbybroker
        connectionwrongstateerror socketexception eoferrorconnection connectionlosterror adminshutdown crashshutdown transporterror transportexception sessionnotcreatedexception noconnectionerror httpcoreprotocolerror
        incompletereaderror ttransportexception transportclosed wsconnectionclosed websocketconnectionclosedexception clientdisconnected streamreset connectionterminated urlerror
    """,
    (Cause.BUSY, 74): """
        callnotpermittedexception brokencircuitexception circuitbreakererror circuitbreakeropenexception circuitbreakeropen opencircuiterror isolatedcircuitexception bulkheadfullexception rejectedexecutionexception busyloadingerror notprimaryerror notmastererror clusterdownerror
        masterdownerror toomanyconnections cannotconnectnow unavailable unavailableexception overloaded overloadedexception overloadederror isbootstrapping tryagainerror tryagain readonlyerror stalelementreferenceexception staleelementreferenceexception
        hystrixruntimeexception brokenpoolerror resourcewarning blockingioerror notenoughreplicaserror leadernotavailableerror temporaryfailure serverbusyexception outofmemoryerrorresource
    """,
    (Cause.RATE_LIMITED, 80): "ratelimiterror ratelimitexceeded ratelimitexception requestnotpermitted toomanyrequests toomanyrequestserror toomanyrequestsexception throttlingexception throttlederror throttled floodwaiterror floodwait slowmodewaiterror retryafter ratelimited ratelimitedexception ratelimitreached bulkheadrejectedexception",
    (Cause.CONTENTION, 86): """
        serializationfailure deadlockdetected locknotavailable deadlockloserdataaccessexception cannotacquirelockexception pessimisticlockingfailureexception cannotserializetransactionexception lockacquisitionexception locktimeoutexception deadlockexception transientdataaccessexception
        writeconflict transactionaborted transactionabortederror concurrencyerror transactionrollbackerror deadlocked lockwaittimeout lockerror locknotownederror transactionconflict filelocktimeout watcherror writeconflicterror
    """,
    (Cause.CONFLICT, 82): """
        uniqueviolation duplicatekeyerror duplicatekeyexception duplicatetable duplicateobject duplicatedatabase exclusionviolation fileexistserror filealreadyexistsexception staleobjecterror staleobjectstateexception optimisticlockingfailureexception objectoptimisticlockingfailureexception optimisticlockexception staledataerror
        dbupdateconcurrencyexception conflicterror conflictexception conflict alreadyexists recordnotunique versionconflict uniqueconstrainterror sequelizeuniqueconstrainterror documentexistsexception casmismatchexception preconditionfailedversion entityexistsexception nonuniqueresultexception integrityconflict
    """,
    (Cause.PRECONDITION, 80): "foreignkeyviolation restrictviolation foreignkeyconstrainterror sequelizeforeignkeyconstrainterror objectinuse raiseexception elementnotinteractableexception elementnotvisibleexception elementclickinterceptedexception moveoutofboundsexception invalidelementstateexception unexpectedalertpresentexception infailedsqltransaction preconditionfailed failedprecondition protectederror restrictederror execabort illegalmonitorstateexception notmergeable wrongtypeerror",
    (Cause.NOT_FOUND, 80): """
        filenotfounderror filenotfoundexception nosuchfileexception nosuchelementexception nosuchwindowexception nosuchframeexception notfound notfounderror notfoundexception doesnotexist objectdoesnotexist recordnotfound entitynotfoundexception resourcenotfoundexception noresultfound documentnotfounderror documentnotfoundexception nosuchkey nosuchbucket
        invalidcatalogname undefinedschema directorynotfoundexception processlookuperror queuedoesnotexist imagenotfound containernotfound modelnotfoundexception keynotfounderror missingobject nosuchcontainer cursornotfound unknowntopicorpartitionerror nosuchmodule0
    """,
    (Cause.FORBIDDEN, 82): "permissionerror permissiondenied permissiondeniederror permissiondeniedexception accessdeniedexception accessdenied forbidden forbiddenerror forbiddenexception insufficientprivilege unauthorizedaccessexception insufficientpermissions accesscontrolexception httpforbidden channelaccessrefused notpermittederror authorizationerror authorizationexception",
    (Cause.UNAUTHORIZED, 82): """
        authenticationerror authenticationfailed authenticationexception authenticationfailure unauthorized unauthorizederror unauthorizedexception invalidpassword invalidauthorizationspecification badcredentialsexception expiredsignatureerror expiredtokenerror invalidtokenerror invalidsignatureerror decodeerrorjwt jwtexpired tokenexpirederror jsonwebtokenerror tokenexpiredexception notauthenticated
        nocredentialserror partialcredentialserror credentialretrievalerror refresherror defaultcredentialserror invalidgrant loginrequired probableauthenticationerror smtpauthenticationerror invalidcredentials invalidcredentialserror tokenretrievalerror unauthorizedssotokenerror authenticationrequired noautherror authkeyunregistered sessionexpired usernotauthenticated clientauthenticationerror
    """,
    (Cause.QUOTA, 78): "quotaexceeded quotaexceedederror insufficientquotaerror quotaexceededexception limitexceedederror outofcreditserror quotafailure",
    (Cause.DECLINED, 84): "carderror paymentdeclined carddeclinederror paymentfailedexception declinederror processordeclined",
    (Cause.FUNDS, 86): "insufficientfunds insufficientbalance insufficientfundserror notenoughbalanceerror insufficientfundsexception insufficientpermissionfunds",
    (Cause.POLICY, 86): "contentfiltererror contentpolicyviolationerror contentfilterfinishreasonerror blockedpromptexception stopcandidateexception lengthfinishreasonerror0 responsibleaipolicyviolation",
    (Cause.STORAGE_FULL, 88): "diskfull nospaceleft storagefullerror outofspace",
    (Cause.REFUSED, 80): "readonlysqltransaction certificateerror sslcertverificationerror sslpeerunverifiedexception clientconnectorcertificateerror insecurecertificateexception certpathvalidatorexception toomanyredirects certificateexpired certificateverificationerror readonlyfilesystemexception",
    (Cause.UNSUPPORTED, 72): "notsupportederror featurenotsupported unsupportedoperationexception unsupportedoperation notimplemented methodnotallowed unsupportedcommandexception unknowncommand unknownmethodexception httprequestmethodnotsupportedexception notimplementedexception",
    (Cause.VALIDATION, 84): """
        validationerror validationexception zoderror yuperror valibot joivalidationerror ajvvalidationerror schemaerror schemavalidationerror marshmallowvalidationerror requestvalidationerror paramvalidationerror methodargumentnotvalidexception bindexception httpmessagenotreadableexception methodargumenttypemismatchexception
        missingservletrequestparameterexception argumentoutofrangeexception argumentnullexception argumentexception toolinvocationerror toolinputvalidationerror invalidtoolinput invalidtoolargumentserror toolschemavalidationerror invalidargument invalidargumenterror invalidargumentexception invalidparameter invalidparametererror invalidrequesterror unprocessableentity unprocessableentityerror badrequest badrequesterror badrequestexception
        undefinedcolumn undefinedtable undefinedfunction undefinedparameter undefinedobject syntaxerrororaccessruleviolation invalidtextrepresentation datatypemismatch numericvalueoutofrange stringdatarighttruncation notnullviolation checkviolation invaliddatetimeformat datetimefieldoverflow invalidcolumnreference ambiguouscolumn ambiguousfunction groupingerror wrongobjecttype cannotcoerce
        invalidselectorexception invalidselector invalidargumentexceptionselenium unsupportedprotocol missingschema invalidschema invalidurl invalidurlclienterror locationvalueerror locationparseerror urlschemaunknown nonhttpurlclienterror invalidid bsonerror casterror documenttoolarge invalidheader datetimeparseexception parserrors catalogexception binderexception parserexception conversionexception sqlparseexception badsqlgrammarexception
        sequelizevalidationerror actioncontrollerparametermissing parametermissing recordinvalid unknownattributeerror activemodelunknownattributeerror invalidnumberofarguments badparametervalue usageerror badparameter missingparameter nosuchoption messagetoolarge messagesizetoolargeerror invalidrequest invalidrequestexception jsondecodeerrorargs toolretryerror unexpectedmodelbehavior0 invalidoperationargs mismatchedinputexception
        unrecognizedpropertyexception invalidformatexception invaliddefinitionexception illegalargumentexception dateparseerror parsererror invalidbucketname exceptiongroupvalidation valueoutofrange schemaviolation serializationexceptionargs invaliddocument invaliddata invalidinput contextwindowexceedederror contextlengthexceeded filterexception
    """,
    (Cause.VALIDATION, 58): "constraintviolationexception dataerror programmingerror formatexception numberformatexception clickexception",
    (Cause.CONFLICT, 52): "integrityerror dataintegrityviolationexception integrityconstraintviolationexception sqlintegrityconstraintviolationexception",
    (Cause.SERVER_ERROR, 42): "operationalerror databaseerror internalerror internalservererror apierror apistatuserror serverexception httpexception httperror clienterror requestexception webdriverexception ioexception oserror sqlexception requesterror axioserror fetcherror servererror apiexception servicexception responseerror grpcerror rpcerror clientexception protocolexception runtimeexception0 mongoservererror operationfailure kafkaexception kafkaerror transportqueryerror graphqlerror clientresponseerror httpstatuserror httprequestexception unexpectedstatus rpcexception shellerror calledprocesserror",
    (Cause.CRASH, 64): """
        keyerror indexerror attributeerror typeerror nameerror unboundlocalerror zerodivisionerror recursionerror assertionerror referenceerror importerror modulenotfounderror notimplementederror unicodedecodeerror unicodeencodeerror unicodeerror overflowerror floatingpointerror lookuperror stopiteration stopasynciteration
        systemerror memoryerror syntaxerror evalerror internalerrorjs nullpointerexception nullreferenceexception classcastexception arrayindexoutofboundsexception indexoutofboundsexception stringindexoutofboundsexception indexoutofrangeexception illegalstateexception stackoverflowerror outofmemoryerror arithmeticexception invalidoperationexception invalidcastexception
        concurrentmodificationexception noclassdeffounderror classnotfoundexception nosuchmethoderror nosuchfielderror dividebyzeroexception keynotfoundexception nomethoderror undefinedmethod frozenerror loaderror systemstackerror runtimepanic panic runtimeimportmoduleerror panicerror errorexception unhandledpromiserejection exceptioninmoduleexception
        indentationerror jsondecodeerror jsonparseexception jsonprocessingexception templatesyntaxerror undefinederror divisionbyzero configurationerror improperlyconfigured appregistrynotready detachedinstanceerror missinggreenlet lazyinitializationexception beancreationexception unsatisfiedlinkerror bufferoverflowexception unhandled runtimeexitinvalid zerodivision
    """,
    (Cause.CRASH, 52): "valueerror rangeerror argumenterror lookuperror overflowerror",
    (Cause.CRASH, 38): "error exception runtimeerror runtimeexception throwable domexception aggregateerror exceptiongroup baseexception toolerror toolexception toolexecutionerror mcperror mcptoolerror",
}

LOOKUP: dict[str, tuple[Cause, int]] = {name: row for row, names in TYPES.items() for name in names.split()}

GENERIC = frozenset(
    "keyerror indexerror typeerror valueerror attributeerror lookuperror runtimeerror rangeerror assertionerror error exception unicodedecodeerror unicodeencodeerror argumenterror numberformatexception formatexception syntaxerror jsondecodeerror overflowerror invalidoperationexception indexoutofrangeexception keynotfoundexception invalidcastexception systemerror illegalstateexception unicodeerror arithmeticexception jsonparseexception errorexception".split()
)
"""Types that the tool's own code raises for its own bugs and for bad arguments alike; the message and the arguments tell."""
