import type { AnyPlan, Plan } from "../plan";
import type { Bug } from "./bug";
import * as batch from "./batch-code";
import * as code from "./code";
import { MESSAGE_BUGS } from "./message-catalogue";

const operation =
  (fits: (plan: Plan) => boolean) =>
  (plan: AnyPlan): boolean =>
    plan.kind === "operation" && fits(plan);
const overtaken = operation((plan) => plan.overtaken === "only_taken" && !plan.sessionEnds);
const impatient = operation((plan) => !plan.retries && !plan.again && plan.fault === undefined);

const DROP_KEY =
  "alter table onceboard.idempotency_requests drop constraint idempotency_requests_tenant_id_operation_key_pk";
const OPEN_FENCE = / and o\.fence = p_fence/;
const REQUEST_FENCE = /and r\.fence = p_fence and r\.state in \('IN_PROGRESS', 'UNKNOWN_REQUIRES_RECOVERY'\)/;

/** What claim() does before it inserts. */
const LOOK = /select \* into v_row from [^;]*r\.key = v_key;\s+if not found then/;

const OPERATION_BUGS: Readonly<Record<string, Bug>> = {
  no_unique_key: {
    story: "the unique key of the requests is dropped, and the claim does not look for the key either",
    cells: ["C9:kill", "C8:cut", "C3:stop"],
    when: operation((plan) => plan.retries && plan.operation === "payment" && plan.rivals > 0),
    oracles: ["Q1"],
    sql: { before: DROP_KEY, changes: [["claim", LOOK, "if true then"]] },
  },
  claim_reads_then_inserts: {
    story: "the claim looks for the key, then inserts it, with no unique key to stop the second",
    cells: ["C9:stop"],
    when: operation((plan) => plan.also > 1 && plan.operation === "payment" && plan.fault === undefined),
    oracles: ["Q1", "Q10"],
    // In one statement the second sees the first's row.
    code: batch.claimsAlone,
    sql: {
      before: DROP_KEY,
      changes: [
        [
          "claim",
          /values \(\s*(p_tenant, p_operation, v_key, p_operation_id[\s\S]*?)\)\s*on conflict do nothing/,
          // The moment between the look and the write is what a second round trip takes.
          `select $1 from pg_sleep(0.02) where not exists (
          select 1 from onceboard.idempotency_requests x
          where x.tenant_id = p_tenant and x.operation = p_operation and x.key = v_key)`,
        ],
      ],
    },
  },
  complete_without_fence: {
    story: "complete() does not compare the fence",
    cells: ["P7:stop"],
    when: overtaken,
    oracles: ["Q9"],
    sql: {
      changes: [
        ["complete", OPEN_FENCE, ""],
        ["complete", REQUEST_FENCE, "and r.state in ('IN_PROGRESS', 'UNKNOWN_REQUIRES_RECOVERY')"],
      ],
    },
  },
  complete_by_id_alone: {
    story: "complete() finds the operation by its id alone, whatever its state and owner",
    cells: ["P7:stop"],
    when: overtaken,
    oracles: ["Q9"],
    sql: {
      changes: [
        ["complete", OPEN_FENCE, ""],
        ["complete", REQUEST_FENCE, ""],
        ["complete", /if not found then\s+raise exception 'operation % is not ours any more'[\s\S]*?end if;/, ""],
        [
          "complete",
          /and r\.operation = v_open\.operation and r\.key = v_open\.key/,
          "and r.operation_id = p_operation_id",
        ],
      ],
    },
  },
  mark_sent_without_fence: {
    story: "mark_sent() does not compare the fence, so an owner that was overtaken still sends",
    cells: ["P1:stop"],
    when: overtaken,
    oracles: ["Q9"],
    sql: { changes: [["mark_sent", OPEN_FENCE, ""]] },
  },
  take_over_keeps_fence: {
    story: "take_over() makes another owner without raising the fence",
    cells: ["P5:stop", "P2:kill"],
    oracles: ["Q12"],
    sql: { changes: [["take_over", /set fence = o\.fence \+ 1,/, "set fence = o.fence,"]] },
  },
  lease_by_app_clock: {
    story: "whether a lease has run out is decided by a process whose clock is an hour ahead",
    cells: ["P2:stop", "P5:stop"],
    oracles: ["Q12"],
    sql: {
      changes: [["take_over", /o\.locked_until <= v_now or/, "o.locked_until <= v_now + interval '1 hour' or"]],
    },
  },
  purged_key_runs_again: {
    story: "a key whose answer was purged is executed again",
    cells: ["C9:kill", "P5:kill"],
    when: operation((plan) => plan.purge && plan.retries),
    oracles: ["Q12"],
    sql: {
      changes: [
        [
          "claim",
          /elsif v_row\.state = 'FAILED_RETRYABLE' then/,
          "elsif v_row.state = 'FAILED_RETRYABLE' or v_row.body_purged_at is not null then",
        ],
        ["claim", /and r\.state = 'FAILED_RETRYABLE' and r\.fence = v_row\.fence/, "and r.fence = v_row.fence"],
      ],
    },
  },
  replay_says_200: {
    story: "a replay answers 200, whatever the first answer was",
    cells: ["C1:kill", "C4:kill"],
    when: operation((plan) => plan.retries && plan.operation !== "void" && !plan.otherCommand),
    oracles: ["Q3"],
    sql: {
      changes: [
        [
          "claim",
          /(return query select v_outcome,[\s\S]*?)v_row\.response_status/,
          "$1 (case when v_outcome = 'replay' then 200 else v_row.response_status end)::smallint",
        ],
      ],
    },
  },
  unknown_frees_the_key: {
    story: "an unknown outcome is kept as a failure, and the key is free",
    cells: ["P4:cut", "P5:cut"],
    when: impatient,
    oracles: ["Q10"],
    sql: {
      changes: [
        ["mark_unknown", /set state = 'UNKNOWN_REQUIRES_RECOVERY'/, "set state = 'FAILED_RETRYABLE'"],
        [
          "mark_unknown",
          /return true;/,
          "delete from onceboard.idempotency_open o where o.tenant_id = p_tenant and o.operation_id = p_operation_id;\n  return true;",
        ],
      ],
    },
  },
  fingerprint_not_compared: {
    story: "the same key with another command is answered with the first one's answer",
    cells: ["C9:kill", "C8:cut"],
    when: operation((plan) => plan.otherCommand && plan.rivals > 0 && plan.operation !== "void"),
    oracles: ["Q4"],
    sql: { changes: [["claim", /elsif v_row\.fingerprint <> p_fingerprint then/, "elsif false then"]] },
  },
  sent_not_marked: {
    story: "nothing says that the request was sent: recovery takes it for unsent",
    cells: ["P4:kill", "P5:kill"],
    // Its confirmation is refused by the database, so nothing that needs an earlier payment gets that far.
    when: operation((plan) => impatient(plan) && plan.operation === "payment"),
    oracles: ["Q10"],
    code: code.sentNotMarked,
  },
  marked_after_send: {
    story: "the request is marked as sent after it was sent",
    cells: ["P4:kill"],
    when: impatient,
    oracles: ["Q10"],
    code: code.markedAfterSend,
  },
  indefinite_is_no_effect: {
    story: "an error after which the provider may have acted counts as a definite failure",
    cells: ["P4:cut"],
    when: impatient,
    oracles: ["Q10"],
    code: code.indefiniteIsNoEffect,
  },
  doubt_reported_as_no: {
    story: "an error after which the effect may stand is reported to the caller as a definite failure",
    cells: ["P5:cut", "P7:throw", "P8:cut"],
    when: operation((plan) => impatient(plan) && plan.side === "database" && plan.lost === "answer"),
    oracles: ["Q2"],
    code: code.doubtReportedAsNo,
  },
  new_provider_key: {
    story: "each send has a provider key of its own",
    cells: ["P4:kill", "P5:kill"],
    oracles: ["Q10"],
    code: code.newProviderKey,
  },
  outbox_after_commit: {
    story: "the event is written after the commit, in a transaction of its own",
    cells: ["P8:kill", "C8:kill"],
    when: operation((plan) => plan.lost === "answer" && (plan.cell === "P8:kill" || plan.operation === "account")),
    oracles: ["Q5"],
    code: code.outboxAfterCommit,
  },
  answer_in_second_transaction: {
    story: "the business rows are committed first, the answer after them",
    cells: ["C6:kill"],
    when: operation((plan) => plan.operation !== "account"),
    oracles: ["Q11"],
    code: code.answerInSecondTransaction,
  },
  acknowledged_not_committed: {
    story: "the caller gets the answer that it is done, and nothing is kept",
    cells: ["C1:cut", "C1:throw"],
    oracles: ["Q2"],
    code: code.acknowledgedNotCommitted,
  },
};

/** Where several callers share a statement and a commit. */
const BATCH_BUGS: Readonly<Record<string, Bug>> = {
  answer_to_the_neighbour: {
    story: "two callers of one batch get each other's verdict",
    cells: ["B5:kill", "B5:stop"],
    when: operation((plan) => plan.operation === "payment"),
    oracles: ["Q4"],
    code: batch.answersTheNeighbour,
  },
  member_lost: {
    story: "one of a batch is left out, and told that it is done",
    cells: ["B5:kill", "B4:cut"],
    when: operation((plan) => plan.operation === "account"),
    oracles: ["Q5"],
    code: batch.losesAMember,
  },
  member_twice: {
    story: "what one of a batch writes is written twice",
    cells: ["B5:kill", "B5:stop"],
    when: operation((plan) => plan.operation === "account"),
    oracles: ["Q1"],
    code: batch.runsAMemberTwice,
  },
};

/** By name. */
export const BUGS: Readonly<Record<string, Bug>> = { ...OPERATION_BUGS, ...BATCH_BUGS, ...MESSAGE_BUGS };
