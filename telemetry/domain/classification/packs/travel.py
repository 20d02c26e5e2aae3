"""Travel: distribution systems, bed banks and rail."""

from telemetry.domain.classification.causes import Cause
from telemetry.domain.classification.packs.pack import Pack

PACKS = (
    Pack(
        name="amadeus",
        source="Amadeus for Developers: common errors and per-API codes",
        marks=("amadeus",),
        codes={
            Cause.REFUSED: "34651 37200 4926 34733 3664 4527",
            Cause.NO_RESULTS: "6003 1797 895",
            Cause.VALIDATION: "477 572 2668 32171 425 1257 451 2781 1304 367 10661 5404 2667 5546 3237",
            Cause.RATE_LIMITED: "38194",
            Cause.QUOTA: "38195",
            Cause.UNAUTHORIZED: "38190 38191 38192 38187",
            Cause.FORBIDDEN: "38197",
            Cause.NOT_FOUND: "38196 404",
            Cause.SERVER_ERROR: "38189 141 701",
            
            
        },
    ),
    Pack(
        name="sabre",
        source="Sabre REST: error codes and host messages",
        marks=("sabre",),
        codes={Cause.UNAUTHORIZED: "err.2sg.sec.invalid_credentials err.2sg.client.invalid_credentials", Cause.FORBIDDEN: "err.2sg.sec.not_authorized", Cause.RATE_LIMITED: "err.2sg.gateway.too_many_requests err.2sg.gateway.request_per_tps_exceeded", Cause.TIMEOUT: "err.2sg.gateway.timeout err.2sg.provider.timeout", Cause.BUSY: "err.2sg.gateway.service_unavailable err.2sg.provider.service_unavailable", Cause.VALIDATION: "err.2sg.client.validation_failed err.2sg.client.invalid_request", Cause.SERVER_ERROR: "err.2sg.internal*"},
        texts={Cause.NO_RESULTS: r"no (?:fares|itineraries|flights|availability|results)", Cause.REFUSED: r"unable to (?:book|sell)|flight not available|class not available|uc segment|segment status", Cause.VALIDATION: r"invalid (?:city|airport|date|carrier)"},
    ),
    Pack(
        name="hotelbeds",
        source="Hotelbeds APItude: error codes",
        marks=("hotelbeds", "apitude"),
        codes={Cause.VALIDATION: "invalid_data invalid_request", Cause.REFUSED: "product_error insufficient_allotment contract_error", Cause.SERVER_ERROR: "system_error"},
        texts={Cause.REFUSED: r"allotment|stop sales|no availability for|rate ?key .*(?:expired|not found|invalid)|price (?:has )?(?:changed|increased)", Cause.PRECONDITION: r"already cancelled"},
    ),
    Pack(
        name="duffel",
        source="Duffel docs: Errors",
        marks=("duffel",),
        codes={Cause.REFUSED: "offer_no_longer_available offer_request_already_booked price_changed offer_expired airline_price_changed", Cause.FUNDS: "insufficient_balance", Cause.DECLINED: "payment_declined card_declined", Cause.CONFLICT: "already_cancelled already_paid schedule_changed", Cause.PRECONDITION: "order_not_cancellable order_type_not_eligible past_payment_required_by_date not_changeable", Cause.SERVER_ERROR: "airline_internal airline_unknown internal_server_error", Cause.TIMEOUT: "airline_timeout supplier_timeout"},
    ),
    Pack(
        name="expedia",
        source="Expedia Rapid: error types",
        marks=("expedia", "rapid", "vrbo", "eps"),
        codes={Cause.REFUSED: "sold_out rooms_unavailable price_mismatch price_unavailable rate_no_longer_available itinerary.sold_out", Cause.DECLINED: "credit_card.declined cc_declined", Cause.NOT_FOUND: "resource_not_found", },
    ),
    Pack(
        name="booking",
        source="Booking.com Demand API and Connectivity errors",
        marks=("booking", "bookingcom"),
        texts={Cause.REFUSED: r"sold out|no longer available|not available for (?:these|the) dates|price (?:has )?changed"},
    ),
    Pack(
        name="travelport",
        source="Travelport Universal API: faults",
        marks=("travelport", "galileo", "apollo", "worldspan"),
        texts={Cause.NO_RESULTS: r"no (?:availability|itineraries|fares) (?:found|on chosen)", Cause.REFUSED: r"unable to (?:sell|fare quote)|seats? not available|\*0 avail|segment .* unable", Cause.BUSY: r"host (?:error during|timeout)"},
    ),
    Pack(
        name="ctrip",
        source="Trip.com / Ctrip and 12306 messages",
        marks=("ctrip", "trip", "12306", "qunar", "fliggy", "tongcheng", "elong", "meituan", "huazhu"),
        texts={Cause.REFUSED: r"余票不足|已售完|无座|没有足够的票|满房|变价|舱位已|库存不足|房间已|不可预订|无法预订", Cause.RATE_LIMITED: r"访问过于频繁|频率", Cause.CONFLICT: r"存在未完成订单|行程冲突|重复预订|已有相同", Cause.BUSY: r"系统繁忙|网络繁忙|排队人数", Cause.NO_RESULTS: r"没有查询到|无直达|很抱歉.*没有"},
    ),
    Pack(
        name="deutsche-bahn",
        source="Deutsche Bahn timetables, HAFAS and RMV: error codes",
        marks=("hafas", "bahn", "dbahn", "rmv", "vbb", "sbb", "oebb", "bvg", "mvg"),
        codes={Cause.NO_RESULTS: "h890 no_match svc_no_result h9220 sot_conn", Cause.VALIDATION: "h887 h895 svc_param location svc_datetime h9360 h9380 api_param r0007", Cause.RATE_LIMITED: "api_too_many", Cause.QUOTA: "api_quota", Cause.UNAUTHORIZED: "api_auth auth", Cause.SERVER_ERROR: "int_err int_gateway svc_ctx h_unknown", Cause.TIMEOUT: "int_timeout"},
    ),
)
