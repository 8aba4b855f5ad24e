import type { Mode, PointId, PointPlace } from "@/tests/crash/point";

/** Whose process is hit: who sends, who records what arrives, who handles it, an operator's, or the relay of mails. */
export type ProcessRole = "relay" | "receiver" | "consumer" | "operator" | "mailer";

/** A point on the way of a message from the outbox to the last consumer's effect. */
export interface MessagePoint {
  readonly id: PointId;
  readonly where: PointPlace;
  readonly modes: readonly Mode[];
  readonly actor: "message";
  readonly roles: readonly ProcessRole[];
  /** Messages that their consumer cannot handle: until a later attempt, or for ever. */
  readonly trouble?: "passes" | "stays";
  readonly moment: string;
  readonly proves: string;
}

const IN_CODE: readonly Mode[] = ["kill", "stop", "cut", "throw"];
const ON_WIRE: readonly Mode[] = ["kill", "stop", "cut"];
const code = { where: { kind: "code" }, modes: IN_CODE, actor: "message" } as const;

/** O5 is the mode `stop` of O1–O4 and O7: a paused relay is overtaken and comes back. */
export const MESSAGE_POINTS: readonly MessagePoint[] = [
  {
    id: "O1",
    ...code,
    roles: ["relay"],
    moment: "a batch is taken, nothing is sent",
    proves: "its lease runs out, and another relay sends it",
  },
  {
    id: "O2",
    ...code,
    roles: ["relay"],
    moment: "some of a batch are sent",
    proves: "what was sent is sent again under the same id, and is a duplicate",
  },
  {
    id: "O3",
    ...code,
    roles: ["relay"],
    moment: "acknowledged, not yet marked",
    proves: "as O2",
  },
  {
    id: "O4",
    where: { kind: "database", statement: "publish_outbox" },
    modes: ON_WIRE,
    actor: "message",
    roles: ["relay"],
    moment: "the mark is sent, its acknowledgement lost",
    proves: "marked or not, whole; what is not is sent again",
  },
  {
    id: "O6",
    ...code,
    roles: ["relay"],
    moment: "marked and moved to the history, before anything else",
    proves: "mark and move are one: it is not sent again",
  },
  {
    id: "O7",
    where: { kind: "peer", at: "either" },
    modes: ON_WIRE,
    actor: "message",
    roles: ["relay"],
    moment: "a delivery or its acknowledgement is lost on the way, or arrives late",
    proves: "an attempt that failed; its followers wait, and a second arrival is a duplicate",
  },
  {
    id: "I1",
    ...code,
    roles: ["receiver"],
    moment: "received, before the inbox row",
    proves: "not acknowledged, so it comes again",
  },
  {
    id: "I2",
    ...code,
    roles: ["consumer"],
    moment: "effects are written, before COMMIT",
    proves: "effect and mark go together; who was overtaken takes its effects back",
  },
  {
    id: "I3",
    where: { kind: "database", statement: "commit", after: "finish_inbox" },
    modes: ON_WIRE,
    actor: "message",
    roles: ["consumer"],
    moment: "the commit of effects is sent, its acknowledgement lost",
    proves: "handled or not, whole; nothing is handled twice",
  },
  {
    id: "I4",
    ...code,
    roles: ["receiver", "consumer"],
    moment: "committed, before the sender or the loop learns of it",
    proves: "it comes again as a duplicate, and no consumer sees it twice",
  },
  {
    id: "I5",
    ...code,
    roles: ["consumer"],
    trouble: "passes",
    moment: "a handler has thrown, the failure is not written, attempts are left",
    proves: "a lost attempt is one of the counted; the next one handles it",
  },
  {
    id: "I6",
    ...code,
    roles: ["consumer"],
    trouble: "stays",
    moment: "the last attempt has failed, the dead letter is not written",
    proves: "dead with one dead letter, once; requeued, it is handled once",
  },
  {
    id: "I7",
    where: { kind: "seam", when: "after", statements: ["requeue_inbox"] },
    modes: IN_CODE,
    actor: "message",
    roles: ["operator"],
    trouble: "stays",
    moment: "an operator's requeue is written, not committed",
    proves: "requeued with its dead letter settled, or not at all; the same click again does it once",
  },
  {
    id: "I8",
    where: { kind: "seam", when: "before", statements: ["publish_outbox"] },
    modes: IN_CODE,
    actor: "message",
    roles: ["mailer"],
    moment: "the mail is sent, not yet marked",
    proves: "the notification is there once and is marked; the mail may come again under the same Message-ID",
  },
];
