import { expect, it } from "vitest";
import { judgeOutlook, type OutlookFacts } from "./requeue-outlook";

const DIED = "2026-11-23T03:00:00.000000Z";
const BEFORE = "2026-11-23T02:59:00.000000Z";
const LATER = "2026-11-23T03:05:00.000000Z";
const LAST = "2026-11-23T03:06:00.000000Z";
const FACTS: OutlookFacts = {
  side: "outbox",
  errorCode: "webhook.http_503",
  deadAt: DIED,
  paused: false,
  diedBefore: 0,
  succeededBetween: false,
  counted: true,
};
const failed = (at: string, code = FACTS.errorCode) => ({ at, code });

it.each<[string, Partial<OutlookFacts>, string, RegExp]>([
  [
    "whose endpoint was deleted, though others got through",
    { endpoint: "deleted", succeededAt: LATER },
    "dies",
    /deleted/,
  ],
  [
    "that is malformed",
    { errorCode: "webhook.malformed", succeededAt: LATER },
    "dies",
    /in the message \(webhook\.malf/,
  ],
  ["whose event its consumer does not know", { errorCode: "ledger.unknown_event" }, "dies", /in the message/],
  ["that the receiver has with another body", { errorCode: "delivery.payload_mismatch" }, "dies", /in the message/],
  ["whose consumer is gone", { side: "inbox", errorCode: "inbox.no_consumer" }, "dies", /no worker has run/],
  [
    "whose consumer runs again",
    { side: "inbox", errorCode: "inbox.no_consumer", succeededAt: LATER },
    "likely",
    /handled there/,
  ],
  ["whose endpoint is disabled", { endpoint: "disabled" }, "waits", /disabled/],
  ["whose topic is paused", { paused: true, failed: failed(LATER) }, "waits", /paused/],
  [
    "while others fail the same way",
    { failing: failed(LATER), succeededAt: DIED },
    "dies",
    /failed the same way on 23 Nov 2026, 03:05:00 UTC/,
  ],
  [
    "while others fail in another way",
    { failing: failed(LATER, "webhook.timeout"), failed: failed(LATER, "webhook.timeout") },
    "unknown",
    /newest failed on .*\(webhook\.timeout\)/,
  ],
  [
    "that failed while others got through",
    { succeededBetween: true, succeededAt: LATER },
    "unknown",
    /may be in the message/,
  ],
  [
    "that was refused by itself",
    { errorCode: "webhook.http_422", succeededAt: LATER },
    "unknown",
    /about this message/,
  ],
  ["that was requeued before in vain", { diedBefore: 1 }, "dies", /requeued before/],
  [
    "that was requeued before, at a place that works now",
    { diedBefore: 1, succeededAt: LATER },
    "likely",
    /delivered there/,
  ],
  [
    "whose place works again",
    { succeededAt: LAST, failed: failed(LATER) },
    "likely",
    /23 Nov 2026, 03:06:00 UTC, after it died/,
  ],
  [
    "whose place comes and goes",
    { succeededAt: LATER, failed: failed(LAST) },
    "unknown",
    /newest attempt there failed/,
  ],
  [
    "whose endpoint was enabled",
    { changed: { what: "enabled", at: LATER }, failed: failed(BEFORE) },
    "likely",
    /its endpoint was enabled/,
  ],
  [
    "whose route was changed, and failed since",
    { changed: { what: "route", at: LATER }, failed: failed(LAST) },
    "unknown",
    /newest failed/,
  ],
  ["of which not all is counted", { counted: false, failing: failed(LATER) }, "unknown", /not counted yet/],
  ["that nobody tried since", { failed: failed(BEFORE), succeededAt: BEFORE }, "unknown", /nothing was tried there/],
])("MESSAGE-6 a dead message %s", (_what, facts, outlook, why) => {
  expect(judgeOutlook({ ...FACTS, ...facts })).toEqual({ outlook, why: expect.stringMatching(why) as string });
});
