"""Chinese and Japanese platforms beyond chat and cloud: open platforms, logistics, maps and travel."""

from telemetry.domain.classification.causes import Cause
from telemetry.domain.classification.packs.pack import Pack

PACKS = (
    Pack(
        name="taobao",
        source="Taobao Open Platform (TOP): system error codes",
        marks=("taobao", "tmall", "cainiao", "aliexpress", "fliggy", "1688", "lazada"),
        codes={Cause.RATE_LIMITED: "7 isv.call-limited isp.call-limited accesscontrol.limited-by-api-access-count accesscontrol.limited-by-app* apicalllimit", Cause.UNAUTHORIZED: "24 25 26 27 28 29 31 21 22 23 12 illegalaccesstoken isv.invalid-session invalid-sessionkey missing-session", Cause.FORBIDDEN: "11 13 isv.permission-* insufficient-isv-permissions insufficient-user-permissions", Cause.VALIDATION: "40 41 32 33 34 isv.invalid-parameter* isv.missing-parameter* missing-arguments invalid-arguments", Cause.BUSY: "10 isp.service-unavailable isp.*-service-unavailable", Cause.TIMEOUT: "isp.top-remote-service-timeout isp.remote-connection-timeout isp.top-remote-connection-timeout isp.remote-service-timeout", Cause.UNSUPPORTED: "30", Cause.UNKNOWN: "isp.unknown-error isp.top-remote-unknown-error isp.remote-service-error isp.top-remote-service-error", Cause.NOT_FOUND: "isv.trade-not-exist isv.item-not-exist"},
    ),
    Pack(
        name="jd",
        source="JD Open Platform (JOS): platform error codes",
        marks=("jd", "jos", "jingdong", "joycity"),
        codes={Cause.RATE_LIMITED: "12 74", Cause.UNAUTHORIZED: "19 21 25 26 27 28 29", Cause.FORBIDDEN: "11 22 23 24", Cause.VALIDATION: "41 42 43 44 45 46", Cause.BUSY: "10 61 62 64 66", Cause.TIMEOUT: "65 63", Cause.UNSUPPORTED: "30 31 32"},
    ),
    Pack(
        name="pinduoduo",
        source="Pinduoduo Open Platform: public error codes",
        marks=("pinduoduo", "pdd", "yangkeduo"),
        codes={Cause.RATE_LIMITED: "70031 70032 70033 70034 70035 70036 52101 52102 52103", Cause.UNAUTHORIZED: "10000 10018 10019 10035", Cause.FORBIDDEN: "10016 10017 30000 30001 30002 20034", Cause.VALIDATION: "10001 10014 10015 20004 20005", Cause.BUSY: "50000 50002", Cause.SERVER_ERROR: "50001"},
    ),
    Pack(
        name="douyin",
        source="Douyin / TikTok open platforms: error codes",
        marks=("douyin", "tiktok", "oceanengine", "toutiao"),
        codes={Cause.RATE_LIMITED: "40100 rate_limit_exceeded", Cause.UNAUTHORIZED: "10008 2190002 2190008 40102 40103 40104 40105 28001003 28001008 access_token_invalid", Cause.FORBIDDEN: "2190004 40001 scope_not_authorized 28001018 spam_risk_user_banned_from_posting unaudited_client_can_only_post_to_private_accounts", Cause.VALIDATION: "2100005 10002 40002 invalid_params", Cause.BUSY: "2100004", Cause.SERVER_ERROR: "2100001 50000 internal_error", Cause.QUOTA: "2100009 reached_active_user_cap spam_risk_too_many_posts spam_risk_too_many_pending_share"},
    ),
    Pack(
        name="weibo",
        source="Weibo API: error codes",
        marks=("weibo",),
        codes={Cause.RATE_LIMITED: "10022 10023 10024 20016", Cause.UNAUTHORIZED: "21301 21314 21315 21316 21317 21327 21332 10006 21325", Cause.FORBIDDEN: "10004 10005 10014", Cause.VALIDATION: "10008 10016 10017 20008 20012 10021", Cause.BUSY: "10009 10002", Cause.NOT_FOUND: "20003 20101", Cause.CONFLICT: "20017 20019 20111", Cause.POLICY: "20018 20021 20020 20022", Cause.SERVER_ERROR: "10001 10003", Cause.TIMEOUT: "10010", Cause.UNSUPPORTED: "10020"},
    ),
    Pack(
        name="sf-express",
        source="SF Express open platform: apiResultCode",
        marks=("sf", "shunfeng", "sfexpress", "kuaidi100", "kdniao", "zto", "yto", "sto", "yunda", "deppon"),
        codes={Cause.UNAUTHORIZED: "a1002 a1004 a1006", Cause.FORBIDDEN: "a1003", Cause.RATE_LIMITED: "a1005 a1007", Cause.VALIDATION: "a1001", Cause.BUSY: "a1011", Cause.SERVER_ERROR: "a1099", Cause.CONFLICT: "8016", Cause.NOT_FOUND: "8024", Cause.PRECONDITION: "8037"},
        fine="a1000 s0000",
        everywhere=False,
    ),
    Pack(
        name="qweather",
        source="QWeather: status codes",
        marks=("qweather", "heweather", "hefeng"),
        codes={Cause.NO_RESULTS: "204", Cause.VALIDATION: "400", Cause.UNAUTHORIZED: "401", Cause.QUOTA: "402", Cause.FORBIDDEN: "403", Cause.NOT_FOUND: "404", Cause.RATE_LIMITED: "429", Cause.BUSY: "500"},
        fine="200",
    ),
    Pack(
        name="juhe",
        source="Juhe data: error_code",
        marks=("juhe", "apistore"),
        codes={Cause.UNAUTHORIZED: "10001 10003", Cause.FORBIDDEN: "10002 10004 10005 10008 10009", Cause.RATE_LIMITED: "10011", Cause.QUOTA: "10012", Cause.BUSY: "10020", Cause.SERVER_ERROR: "10014 10021"},
        fine="0",
    ),
    Pack(
        name="estat",
        source="e-Stat API (Japan): STATUS",
        marks=("estat",),
        codes={Cause.NO_RESULTS: "1", Cause.UNAUTHORIZED: "100", Cause.VALIDATION: "101 102 103 104 110 111 112 113 114 115 116 120 121 122", Cause.SERVER_ERROR: "200 300"},
        fine="0",
    ),
    Pack(
        name="rakuten",
        source="Rakuten Web Service: errors",
        marks=("rakuten", "rws"),
        codes={Cause.VALIDATION: "wrong_parameter", Cause.NO_RESULTS: "not_found", Cause.RATE_LIMITED: "too_many_requests", Cause.SERVER_ERROR: "system_error", Cause.BUSY: "service_unavailable"},
    ),
    Pack(
        name="kintone",
        source="kintone REST API: error codes",
        marks=("kintone", "cybozu"),
        codes={Cause.VALIDATION: "cb_va01 cb_ij01 gaia_ia02 cb_il02 gaia_iq03 gaia_iq07 gaia_iq10", Cause.CONTENTION: "gaia_da02", Cause.NOT_FOUND: "gaia_re01 gaia_ap01 gaia_bl01 gaia_us01 cb_no01", Cause.CONFLICT: "gaia_co02 gaia_un03", Cause.FORBIDDEN: "cb_no02 gaia_no01", Cause.UNAUTHORIZED: "cb_wa01 cb_au01", Cause.RATE_LIMITED: "gaia_tm12", },
    ),
    Pack(
        name="fints",
        source="FinTS 3.0: return codes of the German banks (0 good, 3 warning, 9 error)",
        marks=("fints", "hbci"),
        codes={Cause.NO_RESULTS: "3010", Cause.UNKNOWN: "9000", Cause.UNAUTHORIZED: "9340 9341 9930 9931 9935 9940 9941 9942 9943 9955", Cause.FORBIDDEN: "9006 9400", Cause.VALIDATION: "9110 9120 9130 9140 9150 9160 9170 9180 9210 9220", Cause.PRECONDITION: "9380 9390 9075 9076", Cause.REFUSED: "9010 9050 9280 9800", Cause.CONFLICT: "9290 9370"},
        fine="0010 0020 0100 3040 3050 3060 3076 3920 3955 0030",
    ),
)
