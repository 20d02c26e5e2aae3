"""Business software: codes whose words mislead or say too little."""

from telemetry.domain.classification.causes import Cause
from telemetry.domain.classification.packs.pack import Pack

PACKS = (
    Pack(
        name="salesforce",
        source="Salesforce: SOAP/REST status codes",
        marks=("salesforce", "sf", "sfdc", "force", "soql", "simple_salesforce"),
        codes={
            Cause.QUOTA: "request_limit_exceeded storage_limit_exceeded limit_exceeded license_limit_exceeded mass_mail_limit_exceeded daily_email_limit total_requests_limit_exceeded api_disabled_for_org",
            Cause.CONTENTION: "unable_to_lock_row concurrent_requests_limit_exceeded",
            Cause.CONFLICT: "duplicate_value duplicates_detected duplicate_developer_name",
            Cause.NOT_FOUND: "entity_is_deleted invalid_cross_reference_key not_found invalid_query_locator",
            Cause.PRECONDITION: "entity_is_locked delete_failed dependency_exists insufficient_access_on_cross_reference_entity cannot_insert_update_activate_entity cannot_execute_flow_trigger processing_halted",
            Cause.FORBIDDEN: "insufficient_access insufficient_access_or_readonly api_currently_disabled cannot_modify_managed_object insufficient_access_on_parent_entity functionality_not_enabled",
            Cause.UNAUTHORIZED: "invalid_login login_must_use_security_token inactive_owner_or_user password_lockout invalid_grant",
            Cause.VALIDATION: "field_custom_validation_exception required_field_missing invalid_field malformed_query string_too_long invalid_type invalid_email_address invalid_or_null_for_restricted_picklist field_integrity_exception invalid_field_for_insert_update number_outside_valid_range json_parser_error invalid_query_filter_operator field_filter_validation_exception missing_argument invalid_field_with_null_value invalid_type_on_field_in_record invalid_id_field",
            Cause.BUSY: "server_unavailable",
            Cause.TIMEOUT_UNSENT: "query_timeout",
            Cause.SERVER_ERROR: "unknown_exception",
        },
        weight=90,
    ),
    Pack(name="amazon-sp-api", source="Amazon Selling Partner API: usage plans", marks=("sp", "spapi", "sellingpartner"), codes={Cause.RATE_LIMITED: "quotaexceeded"}),
    Pack(
        name="quickbooks",
        source="Intuit QuickBooks Online: error codes",
        marks=("quickbooks", "qbo", "intuit"),
        codes={Cause.CONFLICT: "5010 6240 6140 6190", Cause.NOT_FOUND: "610 620", Cause.VALIDATION: "2010 2020 2030 2050 2090 2500 4000 6070 6430 2170", Cause.UNAUTHORIZED: "3100 3200 100 120", Cause.RATE_LIMITED: "3001", Cause.PRECONDITION: "6210 6480 6540", Cause.SERVER_ERROR: "10000 500"},
    ),
    Pack(
        name="xero",
        source="Xero API: error numbers",
        marks=("xero",),
        codes={Cause.VALIDATION: "10 14 16 17", Cause.UNAUTHORIZED: "tokenexpired"},
    ),
    Pack(
        name="zoho",
        source="Zoho CRM: status codes",
        marks=("zoho", "zohoapis"),
        codes={Cause.VALIDATION: "mandatory_not_found invalid_data invalid_module required_param_missing expected_param_missing max_length_exceeded", Cause.CONFLICT: "duplicate_data already_scheduled", Cause.FORBIDDEN: "no_permission oauth_scope_mismatch authorization_failed feature_not_supported", Cause.UNAUTHORIZED: "invalid_token authentication_failure invalid_oauthtoken", Cause.RATE_LIMITED: "too_many_requests", Cause.QUOTA: "limit_exceeded license_limit_exceeded api_limit_exceeded", Cause.NOT_FOUND: "record_not_found id_not_found", Cause.NO_RESULTS: "no_content", Cause.PRECONDITION: "record_locked not_approved record_in_blueprint linking_module_error"},
    ),
    Pack(
        name="hubspot",
        source="HubSpot: error categories",
        marks=("hubspot", "hubapi"),
        codes={Cause.RATE_LIMITED: "rate_limit rate_limits ten_secondly_rolling secondly", Cause.QUOTA: "daily", Cause.FORBIDDEN: "missing_scopes", Cause.NOT_FOUND: "object_not_found", Cause.CONFLICT: "conflict object_already_exists", Cause.VALIDATION: "validation_error invalid_option invalid_email property_doesnt_exist invalid_integer invalid_long invalid_date"},
    ),
    Pack(
        name="notion",
        source="Notion API: status codes",
        marks=("notion",),
        codes={Cause.CONTENTION: "conflict_error", Cause.VALIDATION: "validation_error invalid_json invalid_request_url invalid_request missing_version", Cause.FORBIDDEN: "restricted_resource", Cause.NOT_FOUND: "object_not_found", Cause.UNAUTHORIZED: "unauthorized", Cause.SERVER_ERROR: "internal_server_error", Cause.TIMEOUT: "gateway_timeout", Cause.BUSY: "database_connection_unavailable service_unavailable"},
    ),
    Pack(
        name="airtable",
        source="Airtable Web API: errors",
        marks=("airtable",),
        codes={Cause.QUOTA: "public_api_billing_limit_exceeded", Cause.VALIDATION: "invalid_multiple_choice_options unknown_field_name invalid_value_for_column invalid_filter_by_formula invalid_request_unknown invalid_records cannot_update_computed_field invalid_attachment_object", Cause.FORBIDDEN: "invalid_permissions invalid_permissions_or_model_not_found", Cause.NOT_FOUND: "not_found row_does_not_exist table_not_found view_not_found", Cause.RATE_LIMITED: "rate_limit_reached", Cause.UNAUTHORIZED: "authentication_required", Cause.PRECONDITION: "list_records_iterator_not_available"},
    ),
    Pack(
        name="shopify",
        source="Shopify: Admin API status codes, user error codes",
        marks=("shopify", "myshopify"),
        codes={Cause.RATE_LIMITED: "throttled", Cause.VALIDATION: "max_cost_exceeded blank invalid too_long too_short inclusion greater_than not_a_number undefinedfield", Cause.CONFLICT: "taken", Cause.FORBIDDEN: "access_denied shop_inactive", Cause.SERVER_ERROR: "internal_server_error"},
        texts={Cause.REFUSED: r"unable to reserve inventory|not enough items available|out of stock|sold out"},
    ),
    Pack(
        name="zendesk",
        source="Zendesk: response errors",
        marks=("zendesk",),
        codes={Cause.CONFLICT: "databaseconflict duplicatevalue", Cause.VALIDATION: "blankvalue invalidvalue invalidformat valuetooshort valuetoolong", Cause.NOT_FOUND: "recordnotfound invalidendpoint"},
        texts={Cause.PRECONDITION: r"closed prevents ticket update|status: closed", Cause.CONFLICT: r"databaseconflict|updateconflict"},
    ),
    Pack(
        name="servicenow",
        source="ServiceNow REST: messages",
        marks=("servicenow", "snow", "now"),
        texts={Cause.FORBIDDEN: r"insufficient rights|acl exception|security constraints|operation against file .* was aborted", Cause.VALIDATION: r"invalid table|invalid query|exception while reading request|invalid field"},
    ),
    Pack(
        name="x",
        source="X (Twitter) API v1.1 and v2: error codes and problem types",
        marks=("twitter", "x", "tweepy"),
        codes={Cause.RATE_LIMITED: "88", Cause.UNAUTHORIZED: "32 89 99 135 215 416", Cause.FORBIDDEN: "63 64 87 93 179 220 226 261 326 453 client-forbidden", Cause.NOT_FOUND: "17 34 50 144 resource-not-found", Cause.CONFLICT: "187 139 327", Cause.VALIDATION: "25 44 186 195 324 354 invalid-request", Cause.BUSY: "130", Cause.SERVER_ERROR: "131", Cause.QUOTA: "185 usage-capped usagecapexceeded"},
    ),
    Pack(
        name="okta",
        source="Okta: error codes",
        everywhere=True,
        codes={Cause.RATE_LIMITED: "e0000047", Cause.NOT_FOUND: "e0000007 e0000048", Cause.FORBIDDEN: "e0000006 e0000038", Cause.UNAUTHORIZED: "e0000011 e0000004 e0000005 e0000068", Cause.VALIDATION: "e0000001 e0000003 e0000021", Cause.UNSUPPORTED: "e0000022 e0000060", Cause.SERVER_ERROR: "e0000009 e0000010", Cause.PRECONDITION: "e0000016 e0000110"},
    ),
    Pack(
        name="sap",
        source="SAP Gateway and Business One: message classes",
        marks=("sap", "odata", "s4hana", "b1s"),
        codes={Cause.CONTENTION: "m3/897 me/006 mc/601 vl/046"},
        texts={Cause.CONTENTION: r"(?:ist|wird) (?:gesperrt|bereits|gerade) (?:durch|von|vom)|is (?:currently )?(?:being processed|locked) by|gesperrt durch benutzer|locked by user", Cause.PRECONDITION: r"posting period|buchungsperiode"},
    ),
    Pack(
        name="mediawiki",
        source="MediaWiki action API: errors",
        marks=("wiki", "mediawiki", "wikipedia", "wikidata", "wikimedia"),
        codes={Cause.BUSY: "maxlag readonly", Cause.RATE_LIMITED: "ratelimited", Cause.CONFLICT: "editconflict articleexists pagedeleted", Cause.FORBIDDEN: "permissiondenied protectedpage protectedtitle blocked autoblocked cantcreate readapidenied", Cause.UNAUTHORIZED: "badtoken notoken assertuserfailed assertbotfailed mustbeloggedin notloggedin", Cause.NOT_FOUND: "missingtitle nosuchpageid nosuchrevid nosuchsection no-such-entity", Cause.VALIDATION: "invalidtitle invalidparammix notext missingparam badinteger unknown_action badvalue toomanyvalues", Cause.POLICY: "spamdetected abusefilter-disallowed abusefilter-warning", Cause.SERVER_ERROR: "internal_api_error*"},
    ),
)
