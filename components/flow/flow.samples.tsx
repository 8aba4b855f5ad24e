import { sampleTopic } from "@/components/messages/places.samples";
import { sampleOutbox } from "@/components/messages/message-samples";
import { sampleAction } from "@/components/operation/operation-facts.samples";
import { inLive } from "@/components/parts/in-live";
import type { Part } from "@/components/parts/part";
import { sampleEndpoint, sampleWebhooks } from "@/components/webhooks/webhooks.samples";
import type { FlowDetail, FlowView as Flow } from "@/presentation/views/flow";
import { BUSY_FLOW, BUSY_HELD, CROWDED_FLOW, HOOK_BRANDT, HOOK_LUMEN, sampleFlow } from "./flow-facts.samples";
import { FlowView, type FlowViewProps } from "./flow-view";

const REFUSED = "You need the role operator.";
const FREE = { outbox: undefined, inbox: undefined };

const view = (flow: Flow, detail?: FlowDetail, props: Partial<FlowViewProps> = {}) =>
  inLive(<FlowView flow={flow} detail={detail} address={{ path: "/flow", search: {} }} whyNot={FREE} {...props} />);
const busy = sampleFlow(BUSY_FLOW, { held: BUSY_HELD });
const little = sampleFlow({
  topics: { payments: { rate: 2, usual: 2, from: { "payments.create": 2 } } },
  consumers: { ledger: { rate: 2, usual: 2, from: { payments: 2 } } },
});
/** More than is looked at: only what payments sent was all found. */
const MANY = { undrawn: { looked: 10_000, silent: 31, all: false }, done: () => ({ done: 84 }) };
const SILENT = "/operations?messages=none&from=2026-11-22T14%3A29%3A00Z&to=2026-11-22T14%3A30%3A00Z";
const detailOf = (id: string, detail: Partial<FlowDetail> = {}): FlowDetail => ({
  id,
  topic: sampleTopic(),
  dead: [],
  ...detail,
});
const safe = (brief: string, text: string) => ({ glyph: "proven", tone: "proven", text, brief }) as const;

export const flowParts: readonly Part[] = [
  {
    name: "FlowView",
    states: [
      {
        name: "one account stands still, an endpoint is late, another is paused",
        shows: view(busy),
        says: [
          "254 messages a minute arrive.",
          "payments has stood still for one account for 7 minutes; 188 wait.",
          "1 more stands still or is late: webhook to brandt.example/hooks",
          "webhook to lumen.example (paused 38 s ago by Mira Okafor)",
          "1 dead, 188 wait behind it",
          "leaves by webhook",
          "61 entries",
          "Consumer provider-webhook: 12 messages a minute, on time",
          "Endpoint webhook to lumen.example: 0 messages a minute, usually 4, 3 waiting, paused 38 s ago by Mira Okafor",
        ],
        has: ["path[data-kind=paused]", "path[data-kind=late]"],
      },
      {
        name: "little moves, all as usual",
        shows: view({ ...little, undrawn: { looked: 2, silent: 1, all: true, href: SILENT } }),
        has: [`a[href="${SILENT}"]`],
        says: [
          "Not shown: 1 operation begun in this minute that wrote no message. Open the list",
          "2 messages a minute arrive.",
          "Nothing is late.",
          "as usual",
          "Nothing is late, failing, paused or dead.",
        ],
        lacks: ["~", "estimate", "were measured", "more topics", "Mail and webhooks"],
        hasNot: ["path[data-kind=paused]", "path[data-kind=late]"],
      },
      {
        name: "nothing was ever written",
        shows: view(sampleFlow({}, { window: "1h", minutes: { measured: 60, of: 60 } })),
        says: ["No message was written in this hour.", "Nothing flows now.", "Show 24 h"],
        has: ['a[href="/flow?window=24h"]'],
        hasNot: ["figure", "table"],
      },
      {
        name: "no minute was measured: what feeds what, and no rate",
        shows: view(sampleFlow(BUSY_FLOW, { minutes: { measured: 0, of: 1 } })),
        says: ["No minute was measured lately.", "rate not measured"],
        lacks: ["0 messages a minute"],
      },
      {
        name: "a part of the hour was measured, more than the sample moved",
        shows: view(sampleFlow(BUSY_FLOW, { window: "1h", minutes: { measured: 12, of: 60 }, more: true, ...MANY })),
        says: [
          "12 of 60 minutes that were measured",
          "as the newest messages were",
          "There are more topics or consumers than the 200 that are looked at.",
          "~7 entries",
          "Ledger: about 7 entries a minute",
          "Topic payments: 7 messages a minute",
          "Operation payments.create: 6.3 messages a minute",
          "Operation accounts.open: about 7 messages a minute",
          "Not shown: 31 of the newest 10,000 operations begun in this hour, which wrote no message.",
        ],
        hasNot: ['a[href^="/operations?messages"]'],
      },
      {
        name: "sixty topics, twenty in trouble, long names: the worst are shown, the others counted by state",
        shows: view(sampleFlow(CROWDED_FLOW)),
        says: [
          "4 more, no trouble",
          "46 more, 6 late, 3 with dead: in the table",
          "12 more in the table",
          "40 more: no trouble. Show all 60",
        ],
        has: ['a[href="/flow?rows=all#table"]'],
      },
      {
        name: "sixty topics, each a row",
        shows: view(sampleFlow(CROWDED_FLOW), undefined, { all: true }),
        lacks: ["Show all 60"],
        has: ['a[href="#table"]'],
      },
    ],
  },
  {
    name: "FlowSide",
    states: [
      {
        name: "a topic with one dead message whose consumer has it",
        shows: view(
          busy,
          detailOf("topic:payments", {
            dead: [
              {
                ...sampleOutbox({ state: "dead" }),
                safe: safe("Already processed", "ledger processed it at 14:02:09 UTC and skips another copy."),
                closes: true,
              },
            ],
          }),
        ),
        says: [
          "Close 1 as delivered",
          "ledger processed it at 14:02:09 UTC and skips another copy. Nothing waits behind it any more.",
          "New messages wait; nothing is lost",
          "What relays have taken already may still go the old way.",
          "196, 188 behind a dead message",
          "84 messages a minute, usual 90",
        ],
        has: ["[aria-current=true] rect"],
      },
      {
        name: "a topic, looked at by somebody who may not act",
        shows: view(
          busy,
          detailOf("topic:payments", {
            topic: sampleTopic({
              actions: {
                pause: sampleAction("pause", "Pause", REFUSED),
                resume: sampleAction("resume", "Resume", REFUSED),
                route: sampleAction("route", "Change route", REFUSED),
              },
            }),
            dead: [{ ...sampleOutbox({ state: "dead" }), safe: safe("Safe", "Safe.") }],
          }),
          { whyNot: { outbox: REFUSED, inbox: REFUSED } },
        ),
        says: [`Not offered: ${REFUSED}`],
        lacks: ["Pause…", "Route…", "Requeue 1…"],
      },
      {
        name: "a consumer with two dead messages",
        shows: view(
          busy,
          detailOf("consumer:receipts", {
            topic: undefined,
            dead: [{ ...sampleOutbox({ state: "dead" }), safe: safe("Safe", "Safe.") }],
          }),
        ),
        says: [
          "Requeue 2 dead",
          "A plan judges each of them first",
          "only topics are paused, not consumers",
          "payments 48",
        ],
        has: ['a[href="/dead-letters?side=inbox&place=receipts&dialog=plan%3Arequeue%3Aall"]'],
      },
      {
        name: "an endpoint that is paused",
        shows: view(busy, detailOf(`endpoint:${HOOK_LUMEN}`, { endpoints: sampleWebhooks([sampleEndpoint()]) })),
        says: [
          "by Mira Okafor: their deploy",
          "3 messages may go on; what is dead stays dead",
          "Disable the endpoint",
          "Deliveries stop within about 20 seconds",
        ],
      },
      {
        name: "an endpoint whose circuit is open",
        shows: view(
          sampleFlow(BUSY_FLOW, {
            endpoints: new Map([
              [
                HOOK_BRANDT,
                {
                  down: {
                    since: "2026-11-22T14:20:00.000000Z",
                    nextTryAt: "2026-11-22T14:30:30.000000Z",
                    code: "webhook.http_503",
                  },
                },
              ],
            ]),
          }),
          detailOf(`endpoint:${HOOK_BRANDT}`),
        ),
        says: ["open since", "(webhook.http_503)", "down for 10 min, next try in 30 s"],
      },
      {
        name: "an operation",
        shows: view(busy, detailOf("operation:payments.create", { topic: undefined })),
        says: ["Change its policy", "callers send operations; only topics are paused.", "payments 76"],
      },
      {
        name: "the ledger",
        shows: view(busy, detailOf("ledger", { topic: undefined })),
        says: ["61 entries a minute", "entries are posted by the consumer, never by hand."],
      },
    ],
  },
];
