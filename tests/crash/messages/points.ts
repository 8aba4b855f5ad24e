import { atSeam, IN_CODE, onWire, pointsOf, type PointBase } from "@/tests/crash/point";

/** Whose process is hit: who sends, who records what arrives, who handles it, an operator's, or the relay of mails. */
export type ProcessRole = "relay" | "receiver" | "consumer" | "operator" | "mailer";

/** A point on the way of a message from the outbox to the last consumer's effect. */
export interface MessagePoint extends PointBase {
  readonly actor: "message";
  readonly roles: readonly ProcessRole[];
  /** Messages that their consumer cannot handle: until a later attempt, or for ever. */
  readonly trouble?: "passes" | "stays";
}

/** O5 is the mode `stop` of O1–O4 and O7: a paused relay is overtaken and comes back. */
const RELAY_POINTS = pointsOf<MessagePoint>(
  { actor: "message", roles: ["relay"] },
  {
    O1: [IN_CODE, "a batch is taken, nothing is sent", "its lease runs out, and another relay sends it"],
    O2: [IN_CODE, "some of a batch are sent", "what was sent is sent again under the same id, and is a duplicate"],
    O3: [IN_CODE, "acknowledged, not yet marked", "as O2"],
    O4: [
      onWire({ kind: "database", statement: "publish_outbox" }),
      "the mark is sent, its acknowledgement lost",
      "marked or not, whole; what is not is sent again",
    ],
    O6: [
      IN_CODE,
      "marked and moved to the history, before anything else",
      "mark and move are one: it is not sent again",
    ],
    O7: [
      onWire({ kind: "peer", at: "either" }),
      "a delivery or its acknowledgement is lost on the way, or arrives late",
      "an attempt that failed; its followers wait, and a second arrival is a duplicate",
    ],
  },
);

const INBOX_POINTS = pointsOf<MessagePoint>(
  { actor: "message", roles: ["consumer"] },
  {
    I1: [IN_CODE, "received, before the inbox row", "not acknowledged, so it comes again", { roles: ["receiver"] }],
    I2: [
      IN_CODE,
      "effects are written, before COMMIT",
      "effect and mark go together; who was overtaken takes its effects back",
    ],
    I3: [
      onWire({ kind: "database", statement: "commit", after: "finish_inbox" }),
      "the commit of effects is sent, its acknowledgement lost",
      "handled or not, whole; nothing is handled twice",
    ],
    I4: [
      IN_CODE,
      "committed, before the sender or the loop learns of it",
      "it comes again as a duplicate, and no consumer sees it twice",
      { roles: ["receiver", "consumer"] },
    ],
    I5: [
      IN_CODE,
      "a handler has thrown, the failure is not written, attempts are left",
      "a lost attempt is one of the counted; the next one handles it",
      { trouble: "passes" },
    ],
    I6: [
      IN_CODE,
      "the last attempt has failed, the dead letter is not written",
      "dead with one dead letter, once; requeued, it is handled once",
      { trouble: "stays" },
    ],
    I7: [
      atSeam("after", "requeue_inbox"),
      "an operator's requeue is written, not committed",
      "requeued with its dead letter settled, or not at all; the same request again does it once",
      { roles: ["operator"], trouble: "stays" },
    ],
    I8: [
      atSeam("before", "publish_outbox"),
      "the mail is sent, not yet marked",
      "the notification is there once and is marked; the mail may come again under the same Message-ID",
      { roles: ["mailer"] },
    ],
  },
);

export const MESSAGE_POINTS: readonly MessagePoint[] = [...RELAY_POINTS, ...INBOX_POINTS];
