"""Providers of language models."""

from telemetry.domain.classification.causes import Cause
from telemetry.domain.classification.packs.pack import Pack

PACKS = (
    Pack(
        name="openai",
        source="OpenAI docs: Error codes; compatible servers (vLLM, LiteLLM, OpenRouter, Groq, Together, Mistral)",
        everywhere=True,
        codes={
            Cause.QUOTA: "insufficient_quota billing_hard_limit_reached billing_not_active",
            Cause.RATE_LIMITED: "rate_limit_exceeded requests tokens tokens_usage_based_limit",
            Cause.POLICY: "content_policy_violation content_filter moderation_blocked responsibleaipolicyviolation cyber_policy_violation",
            Cause.VALIDATION: "context_length_exceeded string_above_max_length invalid_value unsupported_parameter unsupported_value invalid_image_format invalid_base64 integer_above_max_value integer_below_min_value array_above_max_length decimal_above_max_value missing_required_parameter unknown_parameter invalid_type invalid_function_parameters image_too_large tool_use_failed json_validate_failed",
            Cause.NOT_FOUND: "model_not_found deploymentnotfound model_decommissioned response_not_found vector_store_not_found",
            Cause.FORBIDDEN: "unsupported_country_region_territory model_permission_blocked_project ip_not_authorized",
            Cause.UNAUTHORIZED: "invalid_api_key account_deactivated invalid_organization no_api_key",
            Cause.BUSY: "overloaded_error engine_overloaded server_overloaded overloaded slow_down model_overloaded capacity_exceeded service_unavailable model_cold",
        },
        weight=86,
    ),
    Pack(
        name="anthropic",
        source="Anthropic docs: Errors",
        marks=("anthropic", "claude"),
        codes={Cause.VALIDATION: "request_too_large", Cause.BUSY: "overloaded_error", Cause.RATE_LIMITED: "rate_limit_error", Cause.SERVER_ERROR: "api_error", Cause.TIMEOUT: "timeout_error", Cause.FORBIDDEN: "permission_error", Cause.FUNDS: "billing_error", Cause.NOT_FOUND: "not_found_error", Cause.UNAUTHORIZED: "authentication_error"},
        texts={Cause.FUNDS: r"credit balance is too low", Cause.QUOTA: r"usage limits|reached your specified api usage limits"},
    ),
    Pack(
        name="zhipu",
        source="Zhipu AI (BigModel): error codes",
        marks=("zhipu", "bigmodel", "glm", "chatglm", "zai"),
        codes={Cause.UNAUTHORIZED: "1000 1001 1002 1003 1004 1100", Cause.FORBIDDEN: "1110 1111 1112 1121 1220 1311", Cause.FUNDS: "1113", Cause.VALIDATION: "1210 1213 1214 1215 1261", Cause.NOT_FOUND: "1211 1222", Cause.UNSUPPORTED: "1212 1221", Cause.POLICY: "1301", Cause.RATE_LIMITED: "1302 1303", Cause.QUOTA: "1304 1308 1309 1310", Cause.BUSY: "1120 1305 1312", Cause.SERVER_ERROR: "1230 1234 500 1200"},
    ),
    Pack(
        name="baidu-qianfan",
        source="Baidu AI Cloud: Qianfan, OCR and general API error codes",
        marks=("baidu", "qianfan", "ernie", "wenxin", "baidubce", "aip", "baiduai", "bce"),
        codes={
            Cause.RATE_LIMITED: "4 18 336501 336502 rpm_rate_limit_exceeded tpm_rate_limit_exceeded 54003 54005",
            Cause.QUOTA: "17 19 336503 302",
            Cause.FUNDS: "54004",
            Cause.UNAUTHORIZED: "13 14 15 100 110 111 52003 54001 invalid_iam_token",
            Cause.FORBIDDEN: "6 210 240 211 58000 58002",
            Cause.VALIDATION: "336003 336006 336002 216100 216101 216102 216103 216200 216201 216202 216203 54000 336007 336104 58001 336103",
            Cause.POLICY: "336201 336106",
            Cause.BUSY: "2 336100",
            Cause.TIMEOUT: "52001",
            Cause.SERVER_ERROR: "1 336000 52002 282000 216500 216630 216634",
            Cause.UNSUPPORTED: "3",
            Cause.NO_RESULTS: "216633",
        },
        fine="0",
    ),
    Pack(
        name="baidu-maps",
        source="Baidu Maps web service: status codes",
        marks=("baidumap", "baidumaps", "bmap"),
        codes={Cause.RATE_LIMITED: "401", Cause.QUOTA: "301 302 4", Cause.UNAUTHORIZED: "5 101 200 201 202 203 211 220", Cause.FORBIDDEN: "210 230 240 250 251 260 261", Cause.VALIDATION: "2", Cause.SERVER_ERROR: "1", Cause.UNSUPPORTED: "3"},
        weight=97,
    ),
    Pack(
        name="amap",
        source="Amap web service: infocode",
        marks=("amap", "gaode", "autonavi"),
        codes={
            Cause.RATE_LIMITED: "10004 10014 10015 10019 10020 10021 10029", Cause.QUOTA: "10003 10044 10045 40000 40002", Cause.UNAUTHORIZED: "10001 10007 10008 10009", Cause.FORBIDDEN: "10002 10005 10006 10010 10012 10013 10026 10041 40001 40003", Cause.BUSY: "10016 10017", Cause.VALIDATION: "20000 20001 20002 20012 30002", Cause.SERVER_ERROR: "20003 30000 30001 30003 32*", Cause.REFUSED: "20800 20801 20802 20803", Cause.UNSUPPORTED: "10011",
        },
        fine="10000",
    ),
    Pack(
        name="tencent-maps",
        source="Tencent Location Service: status codes",
        marks=("tencentmap", "tencentmaps", "qqmap", "lbs", "tmap"),
        codes={Cause.RATE_LIMITED: "120", Cause.QUOTA: "121", Cause.UNAUTHORIZED: "190 311 111", Cause.FORBIDDEN: "110 112 113 199", Cause.VALIDATION: "306 310 301 320 331 332 333 334 365 373", Cause.NO_RESULTS: "347", Cause.SERVER_ERROR: "500 510 520 530"},
        fine="0",
        weight=97,
    ),
    Pack(
        name="minimax",
        source="MiniMax and Moonshot: base_resp status codes and error types",
        marks=("minimax", "moonshot", "kimi", "abab"),
        codes={Cause.RATE_LIMITED: "1002 1039 rate_limit_reached_error", Cause.FUNDS: "1008", Cause.QUOTA: "exceeded_current_quota_error", Cause.UNAUTHORIZED: "1004 2049 invalid_authentication_error incorrect_api_key_error", Cause.POLICY: "1026 1027", Cause.VALIDATION: "1042 2013", Cause.TIMEOUT: "1001", Cause.SERVER_ERROR: "1000 1013 1024 1033", Cause.BUSY: "engine_overloaded_error", Cause.NOT_FOUND: "resource_not_found_error"},
        fine="0",
    ),
    Pack(
        name="iflytek",
        source="iFlytek Spark: error codes",
        marks=("iflytek", "xfyun", "spark", "xunfei"),
        codes={Cause.RATE_LIMITED: "11202 11203", Cause.QUOTA: "11200 11201", Cause.POLICY: "10013 10014 10019", Cause.BUSY: "10110 10222 10012", Cause.VALIDATION: "10003 10004 10005 10163 10907", Cause.UNAUTHORIZED: "10313"},
    ),
    Pack(
        name="deepseek",
        source="DeepSeek API docs: error codes",
        marks=("deepseek",),
        texts={Cause.FUNDS: r"insufficient balance", Cause.POLICY: r"content exists risk"},
    ),
    Pack(
        name="volcengine",
        source="Volcengine Ark: error codes",
        marks=("volcengine", "ark", "doubao", "volces", "bytedance"),
        codes={Cause.RATE_LIMITED: "ratelimitexceeded.* modelaccountrpmratelimitexceeded modelaccounttpmratelimitexceeded accountratelimitexceeded requestbursttoofast", Cause.QUOTA: "quotaexceeded setlimitexceeded", Cause.FUNDS: "accountoverdueerror accountoverdue", Cause.POLICY: "sensitivecontentdetected* inputtextsensitivecontentdetected outputtextsensitivecontentdetected inputimagesensitivecontentdetected", Cause.BUSY: "serveroverloaded modelloadingerror", Cause.NOT_FOUND: "invalidendpointormodel.notfound", Cause.VALIDATION: "invalidparameter* missingparameter*"},
    ),
)
