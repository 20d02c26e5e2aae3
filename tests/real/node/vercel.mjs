// Vercel's AI SDK with a scripted model and JavaScript's own OTLP exporter, which speaks JSON:
//
//     npm install --ignore-scripts && node vercel.mjs [legacy] > exported.json
//
// The answer to the approval is read from ANSWER where it is set: an answer in kind as the console gives it.
import { generateText, isStepCount, registerTelemetry, tool } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { LegacyOpenTelemetry, OpenTelemetry } from "@ai-sdk/otel";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import http from "node:http";
import zlib from "node:zlib";
import { z } from "zod";

const exported = [];
const server = http.createServer((request, response) => {
  const parts = [];
  request.on("data", (part) => parts.push(part));
  request.on("end", () => {
    exported.push(JSON.parse(zlib.gunzipSync(Buffer.concat(parts))));
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const exporter = new OTLPTraceExporter({
  url: `http://127.0.0.1:${server.address().port}/v1/traces`,
  compression: "gzip",
});
const provider = new NodeTracerProvider({
  resource: resourceFromAttributes({ "service.name": "trip-booker" }),
  spanProcessors: [new BatchSpanProcessor(exporter)],
});
provider.register();
registerTelemetry(process.argv[2] === "legacy" ? new LegacyOpenTelemetry() : new OpenTelemetry());

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};
const turns = [
  [["search_flights", { to: "PEK" }, "c1"], ["pay", { amount: 5 }, "c2"]],
  [["book", { flight: "MU5138" }, "c3"]],
];
const model = new MockLanguageModelV4({
  provider: "scripted",
  modelId: "scripted",
  doGenerate: async () => {
    const calls = (turns.shift() ?? []).map(([toolName, input, toolCallId]) => ({
      type: "tool-call", toolCallId, toolName, input: JSON.stringify(input),
    }));
    const reason = calls.length ? "tool-calls" : "stop";
    const content = calls.length ? calls : [{ type: "text", text: "done" }];
    return { content, finishReason: { unified: reason, raw: reason }, usage, warnings: [] };
  },
});
const tools = {
  search_flights: tool({
    inputSchema: z.object({ to: z.string() }),
    execute: async ({ to }) => [{ flight: "MU5138", to }],
  }),
  pay: tool({
    inputSchema: z.object({ amount: z.number() }),
    execute: async () => { throw new Error("card declined"); },
  }),
  book: tool({
    inputSchema: z.object({ flight: z.string() }),
    needsApproval: true,
    execute: async ({ flight }) => `booked ${flight}`,
  }),
};
const how = { model, tools, stopWhen: isStepCount(9), telemetry: { isEnabled: true, functionId: "booker" } };
const messages = [{ role: "user", content: "go" }];
const paused = await generateText({ ...how, messages });
const asked = paused.content.filter((part) => part.type === "tool-approval-request");
console.error(JSON.stringify({ requests: asked }));
const yes = asked.map(({ approvalId }) => ({ type: "tool-approval-response", approvalId, approved: true }));
const answer = process.env.ANSWER
  ? JSON.parse(process.env.ANSWER).map((part, n) => ({ ...part, approvalId: asked[n].approvalId }))
  : yes;
messages.push(...paused.response.messages, { role: "tool", content: answer });
const done = await generateText({ ...how, messages });
console.error(JSON.stringify({ text: done.text, answer }));
await provider.forceFlush();
await provider.shutdown();
server.close();
console.log(JSON.stringify(exported));
