import type { AnyPlan, MessagePlan } from "../plan";
import type { Bug } from "./bug";
import * as code from "./code";

const message =
  (fits: (plan: MessagePlan) => boolean) =>
  (plan: AnyPlan): boolean =>
    plan.kind === "message" && fits(plan);

const INBOX_FENCE = / and o\.fence = said\.fence and o\.owner is not null/;
const INBOX_DEDUPE = /on conflict \(tenant_id, consumer, source, message_id\) do nothing/;
const INBOX_DONE = /from done where m\.tenant_id/;
/** What the caller says is done, whether it waited or not. */
const INBOX_FAILURE = `from (select s.id, s.fence, s.result, 1 as attempts_started, 0 as attempts_finished
    from unnest(p_ids, p_fences, p_results) as s(id, fence, result)) done where m.tenant_id`;
const OUTBOX_FENCE = / and m\.fence = done\.fence and m\.owner is not null and m\.state = 'pending'/;
const LEASE = /and \(d\.locked_until is null or d\.locked_until <= v_now\)/;

/** Bugs on the way of a message, as `BUGS` of the operations. */
export const MESSAGE_BUGS: Readonly<Record<string, Bug>> = {
  event_sent_before_commit: {
    story: "the event is handed to its consumers while its transaction is still open",
    cells: ["C7:kill", "C6:kill"],
    // What crosses to a provider is finished by recovery, under the same id.
    when: (plan) => plan.kind === "operation" && plan.operation === "account",
    oracles: ["Q6"],
    code: code.eventSentBeforeCommit,
  },
  published_before_sent: {
    story: "a message is marked as published before it is sent",
    cells: ["O1:kill", "O2:kill"],
    oracles: ["Q18"],
    code: code.publishedBeforeSent,
  },
  effect_outside_the_transaction: {
    story: "a consumer writes its effect on another connection than its inbox row",
    cells: ["I2:kill", "I2:cut"],
    oracles: ["Q7"],
    code: code.effectOutsideTheTransaction,
  },
  finish_without_fence: {
    story: "finish_inbox() asks neither for the fence nor whether the message still waits",
    cells: ["I2:stop"],
    when: message((plan) => plan.overtaken === "settled" && !plan.sessionEnds),
    oracles: ["Q7"],
    sql: {
      changes: [
        ["finish_inbox", INBOX_FENCE, ""],
        ["finish_inbox", INBOX_DONE, INBOX_FAILURE],
      ],
    },
  },
  publish_without_fence: {
    story: "publish_outbox() does not compare the fence",
    cells: ["O3:stop", "O1:stop"],
    when: message((plan) => plan.overtaken === "only_taken" && !plan.sessionEnds),
    oracles: ["Q9"],
    sql: { changes: [["publish_outbox", OUTBOX_FENCE, ""]] },
  },
  no_dedupe_index: {
    story: "the unique index over consumer, source and message id is dropped",
    cells: ["O3:kill", "O4:kill"],
    oracles: ["Q7"],
    sql: {
      before: "drop index onceboard.inbox_messages_dedupe",
      changes: [
        ["receive", INBOX_DEDUPE, ""],
        ["receive_all", INBOX_DEDUPE, ""],
      ],
    },
  },
  head_not_looked_at: {
    story: "a relay takes a message whose aggregate has an older one waiting",
    cells: ["O7:cut"],
    when: message((plan) => plan.refunds > 0 && plan.lost === "request"),
    oracles: ["Q17"],
    sql: { changes: [["claim_outbox", /and b\.state <> 'discarded'/, "and false"]] },
  },
  live_lease_of_a_message: {
    story: "relays and consumers take messages that somebody else holds",
    cells: ["O1:stop", "I2:stop"],
    oracles: ["Q12"],
    sql: {
      changes: [
        ["claim_inbox", LEASE, ""],
        ["claim_outbox", LEASE, ""],
      ],
    },
  },
  dead_without_dead_letter: {
    story: "a message dies, and no dead letter is written",
    cells: ["I6:throw", "I7:kill"],
    oracles: ["Q8"],
    sql: { changes: [["keep_failed_attempt", /if p_dead then/, "if false then"]] },
  },
  corrected_and_requeued: {
    story: "an approval of a corrected message lets the old one go again as well",
    cells: ["I9:kill", "I9:cut"],
    oracles: ["Q19"],
    sql: { changes: [["correct_outbox", /set state = 'discarded'/, "set state = 'pending', next_attempt_at = v_now"]] },
  },
};
