import fc from "fast-check";
import { expect, it } from "vitest";
import { holdSentences } from "../testing/hold-sentences";
import { record } from "../testing/record";
import type { ServiceRequestRow } from "../views/service-requests";
import { allowedActions } from "./allowed-actions";
import { askedNowWords, askServiceWords, requestWords, serviceFoot, serviceRefusal } from "./service-request";

const SERVICE = "invoices-py";
const AT = "2026-11-22T14:00:00.000000Z";

it("TRUTH-1 says what became of a request: who withdrew it, who took it, and what that left", () => {
  holdSentences(
    fc.record({
      ended: fc.constantFrom(undefined, "settled", "overtaken", "withdrawn"),
      result: fc.constantFrom("COMPLETED", "FAILED_REPLAYABLE", "FAILED_RETRYABLE", "UNKNOWN_REQUIRES_RECOVERY"),
      taken: fc.boolean(),
      inHand: fc.boolean(),
      finding: fc.constantFrom(undefined, "the mail house has it"),
    } as const),
    ({ ended, result, taken, inHand, finding }) => {
      const took = taken || ended === "settled";
      return [
        requestWords({
          service: SERVICE,
          action: "resolve",
          takenBy: took ? "billing-2" : undefined,
          inHand: ended === undefined && took && inHand,
          ended,
          result: ended === undefined || ended === "withdrawn" ? undefined : result,
          finding,
          withdrawnBy: ended === "withdrawn" ? "Mira" : undefined,
        }),
      ];
    },
    [
      [/^Withdrawn by Mira\.$/, ({ ended }) => ended === "withdrawn"],
      [/^The operation was settled without it\.$/, ({ ended }) => ended === "overtaken"],
      [
        /^billing-2 left the outcome unknown\.$/,
        (it) => it.ended === "settled" && it.result === "UNKNOWN_REQUIRES_RECOVERY" && it.finding === undefined,
      ],
      [
        /^billing-2 left the outcome unknown: the mail house has it\.$/,
        (it) => it.ended === "settled" && it.result === "UNKNOWN_REQUIRES_RECOVERY" && it.finding !== undefined,
      ],
      [/^billing-2 ended it without effect\.$/, (it) => it.ended === "settled" && it.result === "FAILED_RETRYABLE"],
      [
        /^billing-2 settled it as refused for good\.$/,
        (it) => it.ended === "settled" && it.result === "FAILED_REPLAYABLE",
      ],
      [/^billing-2 completed it\.$/, (it) => it.ended === "settled" && it.result === "COMPLETED"],
      [/^billing-2 has it in hand\.$/, (it) => it.ended === undefined && it.taken && it.inHand],
      [
        /^billing-2 took it and its lease is over: it waits for invoices-py\.$/,
        (it) => it.ended === undefined && it.taken && !it.inHand,
      ],
      [/^It waits for invoices-py\.$/, (it) => it.ended === undefined && !it.taken],
    ],
  );
});

it("TRUTH-1 says what the service is asked to do, and that a request can be withdrawn", () => {
  holdSentences(
    fc.record({
      action: fc.constantFrom("reconcile", "resolve", "release"),
      outcome: fc.constantFrom("succeeded", "failed"),
      secondPersonFrom: fc.constantFrom(undefined, "€10,000.00"),
    } as const),
    ({ action, outcome, secondPersonFrom }) => [
      askServiceWords({ service: SERVICE, action, outcome: action === "resolve" ? outcome : undefined }),
      serviceFoot({ service: SERVICE, secondPersonFrom }),
    ],
    [
      [
        /^Onceboard asks invoices-py to ask the provider and to settle by its answer\.$/,
        ({ action }) => action === "reconcile",
      ],
      [
        /^Onceboard asks invoices-py to end it without effect, so that its key is free again\.$/,
        ({ action }) => action === "release",
      ],
      [
        /^Onceboard asks invoices-py to keep the success as the answer\.$/,
        ({ action, outcome }) => action === "resolve" && outcome === "succeeded",
      ],
      [
        /^Onceboard asks invoices-py to keep the failure as the answer\.$/,
        ({ action, outcome }) => action === "resolve" && outcome === "failed",
      ],
      [
        /^Only the request is recorded\. It can be withdrawn until invoices-py has settled it\.$/,
        ({ secondPersonFrom }) => secondPersonFrom === undefined,
      ],
      [
        /^From €10,000\.00 a second person approves; then invoices-py is asked\.$/,
        ({ secondPersonFrom }) => secondPersonFrom !== undefined,
      ],
    ],
  );
});

it("TRUTH-1 says in the queue who asks a service now", () => {
  holdSentences(
    fc.record({ askedBy: fc.constantFrom(undefined, "Mira"), service: fc.constantFrom(undefined, SERVICE) }),
    (row) => [askedNowWords(row)].filter((text) => text !== ""),
    [
      [
        /^Mira asks invoices-py to settle it\.$/,
        ({ askedBy, service }) => askedBy !== undefined && service !== undefined,
      ],
    ],
  );
});

it("TRUTH-1 says why a service is not asked", () => {
  holdSentences(
    fc.record({ offered: fc.boolean(), asked: fc.boolean() }),
    (facts) => [serviceRefusal({ service: SERVICE, ...facts })].filter((text) => text !== undefined),
    [
      [/^invoices-py owns this kind of operation and does not offer this\.$/, ({ offered }) => !offered],
      [/^invoices-py is asked already\.$/, ({ offered, asked }) => offered && asked],
    ],
  );
});

const request = (changes: Partial<ServiceRequestRow> = {}): ServiceRequestRow => ({
  id: "r1",
  service: SERVICE,
  action: "reconcile",
  evidence: [],
  person: "Mira",
  askedAt: AT,
  inHand: false,
  words: "",
  ...changes,
});

it("TRUTH-1 offers what a service offers of its kind, once at a time, and says why not", () => {
  const whyNot = (registered: boolean, offered: boolean, open: boolean) => {
    const { about, ...rest } = record({ state: "UNKNOWN_REQUIRES_RECOVERY", stage: "RECEIVED" });
    const actions = offered ? (["reconcile", "release"] as const) : [];
    const kind = { ...about, runsIn: "service", owner: registered ? SERVICE : "", actions, path: "provider" } as const;
    const serviceRequests = [request(open ? {} : { ended: "withdrawn", endedAt: AT })];
    const views = allowedActions({ ...rest, about: kind, serviceRequests }, "operator");
    return Object.fromEntries(views.map((view) => [view.action, view.whyNot]));
  };
  const elsewhere = "Another service owns this kind of operation: it asks and settles by itself.";
  expect(whyNot(false, false, false)).toMatchObject({
    reconcile: elsewhere,
    release: elsewhere,
    keep_waiting: elsewhere,
  });
  expect(whyNot(true, false, false)).toMatchObject({
    reconcile: "invoices-py owns this kind of operation and does not offer this.",
    withdraw_request: "No request to its service is open.",
  });
  expect(whyNot(true, true, true)).toMatchObject({
    reconcile: "invoices-py is asked already.",
    release: "invoices-py is asked already.",
    resolve_failed: "invoices-py owns this kind of operation and does not offer this.",
    withdraw_request: undefined,
  });
  expect(whyNot(true, true, false)).toMatchObject({ reconcile: undefined, release: undefined });
});

it("TRUTH-1 says of a service's operation that nothing was sent, where a decision would have nothing to decide", () => {
  const { about, ...rest } = record({
    state: "UNKNOWN_REQUIRES_RECOVERY",
    stage: "LOCAL_PAYMENT_CREATED",
    provider: [],
  });
  const kind = { ...about, runsIn: "service", owner: SERVICE, actions: ["resolve"], path: "provider" } as const;
  const views = allowedActions({ ...rest, about: kind }, "operator");
  expect(views.find(({ action }) => action === "resolve_failed")?.whyNot).toBe(
    "Nothing was sent: there is nothing to decide.",
  );
});
