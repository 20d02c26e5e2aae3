"""The reference says what the document says, in reading order."""

from console.reference.document import read

DOCUMENT = {
    "paths": {
        "/api/v1/calls": {
            "post": {
                "operationId": "report_calls",
                "summary": "Report calls",
                "tags": ["Calls"],
                "parameters": [
                    {"in": "query", "name": "wait", "schema": {"type": "integer"}, "description": "seconds"}
                ],
                "requestBody": {
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Calls"}}}
                },
                "responses": {
                    "200": {
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Answer"}}}
                    },
                    "429": {"description": "The queue is full."},
                },
                "security": [{"agentKey": []}],
            }
        }
    },
    "components": {
        "schemas": {
            "Calls": {
                "description": "A batch.",
                "required": ["calls"],
                "properties": {
                    "calls": {"type": "array", "items": {"$ref": "#/components/schemas/Call"}},
                    "at": {"anyOf": [{"type": "string", "format": "date-time"}, {"type": "null"}]},
                    "limits": {
                        "type": "object",
                        "additionalProperties": {"$ref": "#/components/schemas/Limit"},
                    },
                    "kind": {"enum": ["read", "write"]},
                    "args": {},
                },
            },
            "Word": {"enum": ["one", "two"]},
        }
    },
}


def test_an_endpoint_says_what_it_takes_and_what_it_answers():
    (chapter,) = read(DOCUMENT).chapters
    (endpoint,) = chapter.endpoints
    assert (chapter.name, endpoint.method, endpoint.path) == ("Calls", "POST", "/api/v1/calls")
    assert (endpoint.body, endpoint.keys) == ("Calls", ("agentKey",))
    assert [(one.status, one.model) for one in endpoint.answers] == [("200", "Answer"), ("429", "")]
    assert endpoint.parameters[0].told == "query. seconds"


def test_a_models_fields_have_short_types_that_lead_on():
    model = read(DOCUMENT).models[0]
    assert [(one.name, one.type, one.model, one.required) for one in model.fields] == [
        ("calls", "[Call]", "Call", True),
        ("at", "string (date-time) or null", "", False),
        ("limits", "{name: Limit}", "Limit", False),
        ("kind", '"read" or "write"', "", False),
        ("args", "any JSON", "", False),
    ]


def test_a_closed_list_shows_its_words():
    assert read(DOCUMENT).models[1].words == ("one", "two")


def test_an_empty_document_is_an_empty_reference():
    assert read({}).chapters == ()
