import { describe, expect, it } from "vitest";
import { judgeDiscard, judgeRequeue } from "./judge-message";
import {
  isForeign,
  type DeadLetterAct,
  type HeldBy,
  type InboxFacts,
  type OutboxFacts,
  type RequeueVerdict,
} from "./requeue-verdict";

const AT = "2026-11-20T10:00:00.000000Z";
const outbox = (over: Partial<OutboxFacts> = {}): OutboxFacts => ({
  side: "outbox",
  state: "dead",
  place: "payments",
  leased: false,
  operationUnknown: false,
  held: [],
  foreign: false,
  paused: false,
  ...over,
});
const inbox = (over: Partial<InboxFacts> = {}): InboxFacts => ({
  side: "inbox",
  state: "dead",
  place: "ledger",
  leased: false,
  operationUnknown: false,
  mismatches: 0,
  unfinished: 0,
  ...over,
});
const held = (over: Partial<HeldBy> = {}): HeldBy => ({
  consumer: "ledger",
  state: "processed",
  at: AT,
  samePayload: true,
  ...over,
});

type Row = readonly [
  what: string,
  facts: OutboxFacts | InboxFacts,
  verdict: RequeueVerdict,
  act: DeadLetterAct,
  why: RegExp,
];

describe("MESSAGE-2 the verdict on a requeue", () => {
  const table: readonly Row[] = [
    ["dead and held by nobody", outbox(), "safe", "requeue", /^Safe\. No consumer has this id\.$/],
    ["for somebody else", outbox({ foreign: true }), "safe", "requeue", /Delivery unconfirmed; same id/],
    ["of a topic that rests", outbox({ paused: true }), "safe", "requeue", /would wait until the topic is resumed\.$/],
    [
      "processed by a consumer",
      outbox({ held: [held()] }),
      "processed",
      "close",
      /^ledger processed it on .*and skips another copy/,
    ],
    [
      "recorded by a consumer",
      outbox({ held: [held({ state: "recorded" })] }),
      "processed",
      "close",
      /^ledger recorded it on/,
    ],
    [
      "held with another payload, beside a good one",
      outbox({ held: [held(), held({ consumer: "receipts", samePayload: false })] }),
      "mismatch",
      "leave",
      /^receipts holds another payload/,
    ],
    ["of an unknown operation", outbox({ operationUnknown: true }), "operation_unknown", "leave", /settle that first/],
    [
      "of an unknown operation, held too",
      outbox({ operationUnknown: true, held: [held()] }),
      "operation_unknown",
      "leave",
      /unknown/,
    ],
    [
      "under a lease",
      outbox({ state: "pending", leased: true, lockedUntil: AT }),
      "leased",
      "leave",
      /^A relay holds it until 20 Nov 2026/,
    ],
    ["pending again", outbox({ state: "pending" }), "moved", "leave", /^Queued; will be sent/],
    [
      "behind a dead message",
      outbox({ state: "pending", behind: "dead" }),
      "moved",
      "leave",
      /^Waits behind a dead message, until/,
    ],
    ["behind one that waits", outbox({ state: "pending", behind: "pending" }), "moved", "leave", /sent after it/],
    ["to a disabled endpoint", outbox({ state: "pending", endpoint: "disabled" }), "moved", "leave", /is disabled/],
    [
      "to a deleted endpoint",
      outbox({ state: "pending", endpoint: "deleted" }),
      "moved",
      "leave",
      /was deleted: there is nowhere to send it\.$/,
    ],
    [
      "published",
      outbox({ state: "published", publishedAt: AT }),
      "moved",
      "leave",
      /^It was published on 20 Nov 2026/,
    ],
    ["discarded", outbox({ state: "discarded" }), "moved", "leave", /: it is no longer sent\.$/],
    ["dead in the inbox", inbox(), "safe", "requeue", /^Safe\. The handler adds only what is missing\.$/],
    ["with another arrival", inbox({ mismatches: 1 }), "safe", "requeue", /only the first is handled/],
    [
      "that ended its process",
      inbox({ unfinished: 2 }),
      "safe",
      "requeue",
      /2 attempts never ended: it is handled alone/,
    ],
    [
      "processed meanwhile",
      inbox({ state: "processed", processedAt: AT }),
      "processed",
      "leave",
      /It is not handled again/,
    ],
    ["recorded again", inbox({ state: "recorded" }), "moved", "leave", /^Queued; will be handled automatically/],
    [
      "at work",
      inbox({ state: "recorded", leased: true, lockedUntil: AT }),
      "leased",
      "leave",
      /^A consumer holds it until/,
    ],
    ["discarded in the inbox", inbox({ state: "discarded" }), "moved", "leave", /: it is no longer handled\.$/],
    [
      "of an unknown operation in the inbox",
      inbox({ operationUnknown: true }),
      "operation_unknown",
      "leave",
      /settle that first/,
    ],
    [
      "a provider's webhook, which settles it",
      inbox({ operationUnknown: true, place: "provider-webhook" }),
      "safe",
      "requeue",
      /^Safe/,
    ],
  ];
  it.each(table)("%s", (_what, facts, verdict, act, why) => {
    expect(judgeRequeue(facts)).toMatchObject({ verdict, act });
    expect(judgeRequeue(facts).why).toMatch(why);
  });

  it("a row that is gone has moved", () => {
    expect(judgeRequeue(undefined)).toMatchObject({ verdict: "moved", act: "leave" });
    expect(judgeDiscard(undefined)).toMatchObject({ verdict: "moved", act: "leave" });
  });
});

describe("MESSAGE-2 the verdict on a discard", () => {
  const NO_LONGER = /^It is no longer sent, and nothing waits behind it any more\.$/;
  const table: readonly Row[] = [
    ["dead and held by nobody", outbox(), "safe", "discard", NO_LONGER],
    ["also while its operation is unknown", outbox({ operationUnknown: true }), "safe", "discard", NO_LONGER],
    // What waits behind it may wait for something else: the topic, the endpoint.
    ["of a topic that rests", outbox({ paused: true }), "safe", "discard", NO_LONGER],
    ["to a disabled endpoint", outbox({ foreign: true, endpoint: "disabled" }), "safe", "discard", NO_LONGER],
    ["to a deleted endpoint", outbox({ foreign: true, endpoint: "deleted" }), "safe", "discard", NO_LONGER],
    ["delivered", outbox({ held: [held()] }), "processed", "leave", /it was delivered\. Requeue closes it/],
    ["another payload there", outbox({ held: [held({ samePayload: false })] }), "mismatch", "leave", /another payload/],
    ["pending", outbox({ state: "pending" }), "moved", "leave", /^Queued/],
    ["discarded before", outbox({ state: "discarded" }), "moved", "leave", /discarded/],
    [
      "dead in the inbox",
      inbox(),
      "safe",
      "discard",
      /^ledger no longer handles it, nor a later arrival of its id while its row is kept\.$/,
    ],
    ["processed", inbox({ state: "processed" }), "processed", "leave", /processed/],
  ];
  it.each(table)("%s", (_what, facts, verdict, act, why) => {
    expect(judgeDiscard(facts)).toMatchObject({ verdict, act });
    expect(judgeDiscard(facts).why).toMatch(why);
  });
});

describe("MESSAGE-3 whose inbox a topic leaves for", () => {
  it.each([
    ["payments", undefined, false],
    ["mail", undefined, true],
    ["webhook:we_1", undefined, true],
    ["webhooks", undefined, false],
    ["payments", "https://elsewhere.example", true],
  ] as const)("%s, set to %s", (topic, destination, foreign) => {
    expect(isForeign(topic, destination)).toBe(foreign);
  });
});
