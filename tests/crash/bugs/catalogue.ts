import type { AnyPlan, Plan } from "../plan";
import { MESSAGE_BUGS } from "./message-catalogue";
import type { Bug } from "./bug";

const operation =
  (fits: (plan: Plan) => boolean) =>
  (plan: AnyPlan): boolean =>
    plan.kind === "operation" && fits(plan);
const impatient = (plan: Plan): boolean => !plan.retries && !plan.again;

const OPERATION_BUGS: readonly Bug[] = [
  {
    name: "no_unique_key",
    at: "sql",
    story: "the unique key of the requests is dropped",
    cells: ["C9:kill", "C8:cut", "C3:stop"],
    when: operation((plan) => plan.retries && plan.operation === "payment" && plan.rivals > 0),
    oracles: ["Q1"],
  },
  {
    name: "claim_reads_then_inserts",
    at: "sql",
    story: "the claim looks for the key, then inserts it, with no unique key to stop the second",
    cells: ["C9:stop"],
    when: operation((plan) => plan.also > 1 && plan.operation === "payment" && plan.fault === undefined),
    oracles: ["Q1", "Q10"],
  },
  {
    name: "complete_without_fence",
    at: "sql",
    story: "complete() does not compare the fence",
    cells: ["P7:stop"],
    when: operation((plan) => plan.overtaken === "only_taken" && !plan.sessionEnds),
    oracles: ["Q9"],
  },
  {
    name: "complete_by_id_alone",
    at: "sql",
    story: "complete() finds the operation by its id alone, whatever its state and owner",
    cells: ["P7:stop"],
    when: operation((plan) => plan.overtaken === "only_taken" && !plan.sessionEnds),
    oracles: ["Q9"],
  },
  {
    name: "mark_sent_without_fence",
    at: "sql",
    story: "mark_sent() does not compare the fence, so an owner that was overtaken still sends",
    cells: ["P1:stop"],
    when: operation((plan) => plan.overtaken === "only_taken" && !plan.sessionEnds),
    oracles: ["Q9"],
  },
  {
    name: "take_over_keeps_fence",
    at: "sql",
    story: "take_over() makes another owner without raising the fence",
    cells: ["P5:stop", "P2:kill"],
    oracles: ["Q12"],
  },
  {
    name: "lease_by_app_clock",
    at: "sql",
    story: "whether a lease has run out is decided by a process whose clock is an hour ahead",
    cells: ["P2:stop", "P5:stop"],
    oracles: ["Q12"],
  },
  {
    name: "purged_key_runs_again",
    at: "sql",
    story: "a key whose answer was purged is executed again",
    cells: ["C9:kill", "P5:kill"],
    when: operation((plan) => plan.purge && plan.retries),
    oracles: ["Q12"],
  },
  {
    name: "replay_says_200",
    at: "sql",
    story: "a replay answers 200, whatever the first answer was",
    cells: ["C1:kill", "C4:kill"],
    when: operation((plan) => plan.retries && plan.operation !== "void" && !plan.otherCommand),
    oracles: ["Q3"],
  },
  {
    name: "unknown_frees_the_key",
    at: "sql",
    story: "an unknown outcome is kept as a failure, and the key is free",
    cells: ["P4:cut", "P5:cut"],
    when: operation((plan) => impatient(plan) && plan.fault === undefined),
    oracles: ["Q10"],
  },
  {
    name: "fingerprint_not_compared",
    at: "sql",
    story: "the same key with another command is answered with the first one's answer",
    cells: ["C9:kill", "C8:cut"],
    when: operation((plan) => plan.otherCommand && plan.rivals > 0 && plan.operation !== "void"),
    oracles: ["Q4"],
  },
  {
    name: "sent_not_marked",
    at: "code",
    story: "nothing says that the request was sent: recovery takes it for unsent",
    cells: ["P4:kill", "P5:kill"],
    // Its confirmation is refused by the database, so nothing that needs an earlier payment gets that far.
    when: operation((plan) => impatient(plan) && plan.fault === undefined && plan.operation === "payment"),
    oracles: ["Q10"],
  },
  {
    name: "marked_after_send",
    at: "code",
    story: "the request is marked as sent after it was sent",
    cells: ["P4:kill"],
    when: operation((plan) => impatient(plan) && plan.fault === undefined),
    oracles: ["Q10"],
  },
  {
    name: "indefinite_is_no_effect",
    at: "code",
    story: "an error after which the provider may have acted counts as a definite failure",
    cells: ["P4:cut"],
    when: operation((plan) => impatient(plan) && plan.fault === undefined),
    oracles: ["Q10"],
  },
  {
    name: "doubt_told_as_no",
    at: "code",
    story: "an error after which the effect may stand is told to the caller as a definite failure",
    cells: ["P5:cut", "P7:throw", "P8:cut"],
    when: operation(
      (plan) => impatient(plan) && plan.fault === undefined && plan.side === "database" && plan.lost === "answer",
    ),
    oracles: ["Q2"],
  },
  {
    name: "new_provider_key",
    at: "code",
    story: "each send has a provider key of its own",
    cells: ["P4:kill", "P5:kill"],
    oracles: ["Q10"],
  },
  {
    name: "outbox_after_commit",
    at: "code",
    story: "the event is written after the commit, in a transaction of its own",
    cells: ["P8:kill", "C8:kill"],
    when: operation((plan) => plan.lost === "answer" && (plan.cell === "P8:kill" || plan.operation === "account")),
    oracles: ["Q5"],
  },
  {
    name: "answer_in_second_transaction",
    at: "code",
    story: "the business rows are committed first, the answer after them",
    cells: ["C6:kill"],
    when: operation((plan) => plan.operation !== "account"),
    oracles: ["Q11"],
  },
  {
    name: "acknowledged_not_committed",
    at: "code",
    story: "the caller is told that it is done, and nothing is kept",
    cells: ["C1:cut", "C1:throw"],
    oracles: ["Q2"],
  },
];

export const BUGS: readonly Bug[] = [...OPERATION_BUGS, ...MESSAGE_BUGS];
