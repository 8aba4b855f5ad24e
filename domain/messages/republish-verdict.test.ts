import { describe, expect, it } from "vitest";
import {
  judgeRepublish,
  REPUBLISH_MAX,
  REPUBLISH_NOTES,
  REPUBLISH_OFFERED,
  REPUBLISH_REFUSALS,
  type Republication,
  type RepublishFacts,
} from "./republish-verdict";

const AT = "2026-11-20T10:00:00.000Z";
const lost: RepublishFacts = {
  ...{ side: "outbox", state: "published", place: "payments", leased: false, operationUnknown: false, foreign: false },
  ...{
    paused: false,
    publishedAt: AT,
    transport: "nats",
    attempts: 2,
    recent: false,
    old: false,
    purged: false,
    held: [],
    republished: [],
  },
};
const before: Republication = {
  ...{ publishedAt: AT, publishedBy: "relay", transport: "nats", attempts: 1, at: AT, by: "Mira", reason: "lost" },
};
const held = (state: "processed" | "recorded" | "dead" | "discarded", samePayload = true) => ({
  held: [{ consumer: "ledger", state, at: AT, samePayload }],
});
const ON = "on 20 Nov 2026, 10:00:00 UTC";

/** By the name of the claim: facts where it is said, and what it says. */
const CASES: Readonly<Record<string, readonly [Partial<RepublishFacts>, string]>> = {
  dead: [{ state: "dead" }, "It is a dead letter: requeue it instead."],
  "not published": [{ state: "pending" }, "Queued; will be sent automatically."],
  "closed by a person": [{ transport: undefined }, `A person closed it as delivered ${ON}: it was not sent.`],
  "other payload held": [held("processed", false), "ledger holds another payload under this id."],
  arrived: [held("discarded"), `It arrived: ledger has it as discarded, received ${ON}.`],
  mail: [
    { place: "mail", foreign: true },
    "A mail server knows no message ids: a mail that arrived would arrive twice.",
  ],
  "endpoint deleted": [{ endpoint: "deleted" }, "Its endpoint was deleted: there is nowhere to send it."],
  "payload purged": [{ purged: true }, "Its payload was purged: nothing is left to send."],
  "operation unknown": [{ operationUnknown: true }, "The outcome of its operation is unknown: settle that first."],
  "published again too often": [
    { republished: Array<Republication>(REPUBLISH_MAX).fill(before) },
    "It was published again 3 times already, which is the most.",
  ],
  "too old": [{ old: true }, "It is so old that the record of its arrival may be deleted: it could be handled twice."],
  "just published": [{ recent: true }, `It was published ${ON}: for 3 minutes it may be on its way.`],
  "nothing in our inbox": [
    {},
    `The broker (nats) acknowledged it ${ON}, at attempt 2, and no consumer here has its id.`,
  ],
  "receiver elsewhere": [
    { foreign: true, transport: "http", ...held("processed") },
    `The receiver acknowledged it over http ${ON}, at attempt 2; whether its receiver has it is not known here.`,
  ],
  "published again before": [{ republished: [before] }, `It was published again once before, last ${ON}.`],
  "topic paused": [{ paused: true }, "Its topic is paused: it would wait until the topic is resumed."],
  "endpoint disabled": [
    { endpoint: "disabled" },
    "Its endpoint is disabled: it would wait until the endpoint is enabled.",
  ],
};

describe("MESSAGE-8 the verdict on publishing a message again", () => {
  it.each(
    [...REPUBLISH_REFUSALS, ...REPUBLISH_OFFERED, ...REPUBLISH_NOTES].map((claim) => [claim.name, claim] as const),
  )("says %s only where it is so", (name, claim) => {
    const [facts, words] = CASES[name] ?? [{}, "no case"];
    const judged = judgeRepublish({ ...lost, ...facts });
    expect(judged.why).toContain(words);
    expect(judged.acts).toBe(!REPUBLISH_REFUSALS.some((refusal) => refusal.name === name));
    if (name !== "nothing in our inbox") expect(claim.holds(lost)).toBe(name === "receiver elsewhere");
  });

  it("leaves alone what is gone", () => {
    expect(judgeRepublish(undefined)).toMatchObject({ acts: false, verdict: "moved" });
  });
});
