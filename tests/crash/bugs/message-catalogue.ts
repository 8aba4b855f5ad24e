import type { AnyPlan } from "../plan";
import type { MessagePlan } from "../messages/plan";
import type { Bug } from "./bug";

const message =
  (fits: (plan: MessagePlan) => boolean) =>
  (plan: AnyPlan): boolean =>
    plan.kind === "message" && fits(plan);
const overtaken = message((plan) => plan.overtaken === "settled" && !plan.sessionEnds);

/** Bugs on the way of a message, as `BUGS` of the operations. */
export const MESSAGE_BUGS: readonly Bug[] = [
  {
    name: "event_sent_before_commit",
    at: "code",
    story: "the event is handed to its consumers while its transaction is still open",
    cells: ["C7:kill", "C6:kill"],
    // What crosses to a provider is finished by recovery, under the same id.
    when: (plan) => plan.kind === "operation" && plan.operation === "account",
    oracles: ["Q6"],
  },
  {
    name: "published_before_sent",
    at: "code",
    story: "a message is marked as published before it is sent",
    cells: ["O1:kill", "O2:kill"],
    oracles: ["Q18"],
  },
  {
    name: "effect_outside_the_transaction",
    at: "code",
    story: "a consumer writes its effect on another connection than its inbox row",
    cells: ["I2:kill", "I2:cut"],
    oracles: ["Q7"],
  },
  {
    name: "finish_without_fence",
    at: "sql",
    story: "finish_inbox() asks neither for the fence nor whether the message still waits",
    cells: ["I2:stop"],
    when: overtaken,
    oracles: ["Q7"],
  },
  {
    name: "publish_without_fence",
    at: "sql",
    story: "publish_outbox() does not compare the fence",
    cells: ["O3:stop", "O1:stop"],
    when: message((plan) => plan.overtaken === "only_taken" && !plan.sessionEnds),
    oracles: ["Q9"],
  },
  {
    name: "no_dedupe_index",
    at: "sql",
    story: "the unique index over consumer, source and message id is dropped",
    cells: ["O3:kill", "O4:kill"],
    oracles: ["Q7"],
  },
  {
    name: "head_not_looked_at",
    at: "sql",
    story: "a relay takes a message whose aggregate has an older one waiting",
    cells: ["O7:cut"],
    when: message((plan) => plan.refunds > 0 && plan.lost === "request"),
    oracles: ["Q17"],
  },
  {
    name: "live_lease_of_a_message",
    at: "sql",
    story: "relays and consumers take messages that somebody else holds",
    cells: ["O1:stop", "I2:stop"],
    oracles: ["Q12"],
  },
  {
    name: "dead_without_a_letter",
    at: "sql",
    story: "a message dies, and no dead letter tells of it",
    cells: ["I6:throw", "I7:kill"],
    oracles: ["Q8"],
  },
];
