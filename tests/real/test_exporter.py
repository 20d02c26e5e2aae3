"""The answers of `/v1/traces` as the real exporter understands them."""

import http.client
import json
import logging
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from opentelemetry.exporter.otlp.proto.http import Compression
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse
from opentelemetry.sdk.trace.export import SpanExportResult

from tests.real.spans import Kept, exporter, tracing


def spans(*, ends_before_it_starts=False):
    """A finished span of a tool."""
    kept = Kept()
    provider = tracing(kept)
    told = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "search_flights"}
    span = provider.get_tracer("t").start_span("execute_tool search_flights", attributes=told)
    span.end(1 if ends_before_it_starts else None)
    provider.force_flush()
    return kept


@pytest.fixture
def relay(console):
    """Stand between exporter and console: refuse as the console does when its queue is full, then pass on."""
    refusals, seen = [], []

    class Relay(BaseHTTPRequestHandler):
        def do_POST(self):  # the standard library's word
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if refusals:
                status, headers = refusals.pop()
                seen.append(status)
                self._say(status, headers, b"\x08\x08")
                return
            upstream = http.client.HTTPConnection("127.0.0.1", console.port, timeout=20)
            upstream.request("POST", self.path, body, dict(self.headers))
            answer = upstream.getresponse()
            seen.append(answer.status)
            self._say(answer.status, {"content-type": answer.headers["content-type"]}, answer.read())
            upstream.close()

        def _say(self, status, headers, body):
            self.send_response(status)
            for name, value in {**headers, "content-length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_args):
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Relay)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", refusals, seen
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.parametrize("status", [429, 503])
def test_it_comes_back_when_it_is_told_to_and_nothing_is_lost(console, agent, relay, status):
    url, refusals, seen = relay
    refusals.append((status, {"retry-after": "1", "content-type": "application/x-protobuf"}))
    kept = spans()
    assert exporter(url, agent.key).export(kept.spans) is SpanExportResult.SUCCESS
    assert seen == [status, 200]
    assert [call["tool"] for call in console.heard(*kept.traces())] == ["search_flights"]


def test_a_wrong_key_is_a_failure_at_once(console, caplog):
    with caplog.at_level(logging.ERROR):
        result = exporter(console.url, "sb_wrong").export(spans().spans)
    assert result is SpanExportResult.FAILURE
    assert "401" in caplog.text


@pytest.mark.parametrize("compression", [Compression.Gzip, Compression.Deflate, Compression.NoCompression])
def test_each_of_its_compressions(console, agent, compression):
    headers = {"authorization": f"Bearer {agent.key}"}
    sender = OTLPSpanExporter(endpoint=f"{console.url}/v1/traces", headers=headers, compression=compression)
    kept = spans()
    assert sender.export(kept.spans) is SpanExportResult.SUCCESS
    assert len(console.heard(*kept.traces())) == 1


def test_it_reads_its_address_and_key_from_the_environment_as_the_docs_say(console, agent, monkeypatch):
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", f"{console.url}/v1/traces")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TRACES_HEADERS", f"authorization=Bearer%20{agent.key}")
    kept = spans()
    assert OTLPSpanExporter().export(kept.spans) is SpanExportResult.SUCCESS
    assert len(console.heard(*kept.traces())) == 1


def test_what_was_not_taken_is_told_in_its_own_message(console, agent):
    kept = spans()
    export = kept.as_json()
    export["resourceSpans"][0]["scopeSpans"][0]["spans"].append({"traceId": "0" * 32, "spanId": "0" * 16})
    with console.http(agent.key) as http_:
        said = http_.post(
            "/v1/traces", content=json.dumps(export), headers={"content-type": "application/json"}
        )
        assert said.json()["partialSuccess"]["rejectedSpans"] == "1"
        empty = http_.post("/v1/traces", content=b"", headers={"content-type": "application/x-protobuf"})
    assert not ExportTraceServiceResponse.FromString(empty.content).HasField("partial_success")
    assert len(console.heard(*kept.traces())) == 1


def test_a_span_that_ends_before_it_starts_harms_no_other(console, agent):
    kept, odd = spans(), spans(ends_before_it_starts=True)
    assert exporter(console.url, agent.key).export([*kept.spans, *odd.spans]) is SpanExportResult.SUCCESS
    assert len(console.heard(*kept.traces())) == 1
