import { expect, it } from "vitest";
import { judgeDiscard, judgeRequeue } from "./judge-message";
import type { OutboxFacts } from "./requeue-verdict";

const dead: OutboxFacts = {
  side: "outbox",
  state: "dead",
  place: "payments",
  leased: false,
  operationUnknown: false,
  foreign: false,
  paused: false,
  held: [{ consumer: "ledger", state: "processed", at: "2026-01-02T03:04:05Z", samePayload: true }],
};

it("MESSAGE-3 what our own inbox holds closes no message that leaves for somebody else now: it would be lost there", () => {
  expect(judgeRequeue(dead)).toMatchObject({ verdict: "processed", act: "close" });
  expect(judgeRequeue({ ...dead, foreign: true })).toMatchObject({ verdict: "safe", act: "requeue" });
  expect(judgeDiscard({ ...dead, foreign: true })).toMatchObject({ verdict: "safe", act: "discard" });
});
