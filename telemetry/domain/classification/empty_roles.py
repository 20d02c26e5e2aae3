"""Which keys of an answer hold its results, its counts and its frame; which words of a tool's name say that it searches."""

from telemetry.domain.classification.plain import names

SEARCHING = names(
    """
    search find query lookup look suggest autocomplete geocode match filter explore select scan list browse
    discover retrieve recommend nearby locate resolve reverse grep answer offers availability quotes scrape
    extract dig whois scroll
    """
)

COUNTING = names(
    """
    count counts exists exist check verify validate ping health is has test stats statistics metrics balance
    """
)

LISTS = names(
    """
    main
    availability
    shipments parcels packages consignments
    results items data records rows documents hits matches entries values list result files issues messages
    users orders events pois features organic organicresults response docs value objects elements articles
    products offers flights hotels contacts tickets pods tables transactions repositories commits channels
    members responses answer answers candidates places locations suggestions pages nodes edges songs tracks
    videos photos posts tweets statuses jobs tasks tests namespaces buckets keys contents collections
    vectors points memories content payload predictions routes trains journeys connections departures
    arrivals quotes bars positions trades news stories chunks references citations sources related
    relatedtopics webpages webresults web listings properties rooms availabilities invoices payments
    customers vouchers datasets output outputs search found buses stops stations schedules forecasts
    accounts companies people subscriptions plans releases tags branches itineraries legs tenders leads
    deals cases incidents alerts metrics series datapoints logs traces spans builds pipelines runs workflows
    deployments instances servers droplets volumes images containers services templates folders boards cards
    lists projects sprints comments notes attachments tickers candles prices rates airports cities countries
    addresses books games teams players recipes reviews questions threads conversations feeds entities facts
    trips rides candles blobs queues triples bindings concepts synsets papers authors journals patents filings verbindungen ergebnisse treffer daten eintraege abfahrten halte
    artikel kunden rechnungen belege positionen resultats resultados risultati trajets
    """
)

COUNTS = names(
    """
    totalresultsreturned resultsreturned
    total totalcount resultsizeestimate keycount count numfound totalresults totalhits nbhits resultcount numberofresults
    totalrecords totalsize size estimatedtotalhits found resultscount recordcount totalelements rowcount
    totalitems totalrows numresults numhits matched matchedcount numberreturned hitcount totalmatches
    totalnum totalresultscount issuecount numrows numberofrecords totalresultsavailable resultstotal
    itemcount returned numberofhits totalnumber totalentries numresultsfound countresults totalfound
    results_count gesamtanzahl anzahl
    """
)

META = names(
    """
    searchterms
    passengers travelers travellers slices pax
    meta links link pagination paging cursor nextcursor next nextpage nextpagetoken hasmore page pagesize
    perpage limit offset status statuscode code message msg ok success error errors warnings warning type
    kind object apiversion etag took timedout shards version facets aggregations dictionaries query q
    request requestid searchinformation searchmetadata searchparameters incompleteresults incompletesearch
    options statementid coverage relevance schemas ocrexitcode fileparseexitcode exitcode startat maxresults isfinished previous prev first last self info infocode suggestion resultcode retcode
    retmsg errcode errmsg reason time timestamp date columns fields schema metadata description locale
    currency debug trace usage model ratelimit credits creditsused responsetime queryid jobid executiontime
    scrollid totalpages currentpage pagecount expand names warningmessages executiontimems processingtimems
    elapsed cost duration filters sort order orderby sortby executionid islast lastpage firstpage number
    numberofelements empty more hasnext hasprevious nexturl previousurl isexact exhaustivenbhits
    exhaustivetypo params hitsperpage nbpages processing serverinfo header head currentcount startindex
    itemsperpage source language copyright attribution license generationtimems auditdata responseheader
    audit flag map maxscore start page_info pageinfo httpstatus retextinfo category nextpagecursor
    responsestatus statusmessage
    """
)

ONE = names(
    """
    item record document user entity hit match node price quote customer order account product page message
    issue row contact
    """
)
