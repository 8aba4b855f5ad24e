import {
  balances,
  delivered,
  eachConsumerOnce,
  notifiedOnce,
  oneEntry,
  oneEvent,
  oneRow,
  firstCommandClaim,
} from "../proof/proof-effects";
import {
  claimedOnce,
  executedOnce,
  keptAnswer,
  lastOwnerSettled,
  othersNeverRan,
  sameBytes,
} from "../proof/proof-execution";
import { actedOnce, noContradiction, oneProviderKey } from "../proof/proof-provider";
import type { Check, CheckGroup, CheckPage } from "./check";
import { replaysSame } from "./service-data";
import { leasesFresh } from "./service-upkeep";
import { AUDIT_LINKS, CHECK_HOURS, STALE_MINUTES } from "@/domain/checks/windows";

const WINDOW = `of the last ${String(CHECK_HOURS)} hours`;
const RECENT = `in the last ${String(CHECK_HOURS)} hours`;
const DAY = `operations and messages ${WINDOW}`;

const check =
  (group: CheckGroup) =>
  <Readers extends Omit<Check, "group" | "statement">>(statement: string, readers: Readers) => ({
    group,
    statement,
    ...readers,
  });
const execution = check("One execution");
const money = check("Money");
const message = check("Messages");
const record = check("Records");
const claim = (judge: NonNullable<Check["claim"]>["judge"], ...names: readonly [string, ...string[]]) => ({
  claim: { names, judge },
});
const tenant = (label: string, looksAt = DAY, page: CheckPage = "operations") => ({ tenant: { label, page, looksAt } });

/** What must hold of the rows that retries leave, wherever one looks from. The invariants stand in this order. */
export const DATA_CHECKS = {
  one_key_row: execution("A key stands for one operation.", claim(claimedOnce, "one_key_row")),
  executed_once: execution(
    "An operation is settled at most once, by every trace that a settlement leaves.",
    claim(executedOnce, "executed_once", "refused_once", "never_executed", "settled_by_hand"),
  ),
  only_the_last_owner_wrote: execution(
    "No owner wrote after it had lost the operation.",
    claim(lastOwnerSettled, "only_the_last_owner_wrote"),
  ),
  one_provider_key: execution(
    "The provider is asked under one key until it declines for good, so that it takes all attempts for one.",
    claim(oneProviderKey, "one_provider_key"),
  ),
  one_execution_per_key: execution(
    "No operation made the provider execute twice: it has one reference of the provider.",
    { ...claim(actedOnce, "provider_acted_once", "provider_did_nothing"), ...tenant("One execution per key") },
  ),
  provider_reference_once: execution(
    "No reference of the provider belongs to two operations: one charge never answers two keys.",
    tenant("One operation per provider reference"),
  ),
  provider_never_contradicts: execution(
    "Nothing that the provider said contradicts the answer.",
    claim(noContradiction, "provider_never_contradicts"),
  ),
  one_business_row: execution(
    "At most one business row took effect.",
    // It stands as the effect that its kind names: one_payment.
    claim(oneRow, "one_effect"),
  ),
  all_of_the_first_command: execution(
    "What was done is what the first command of the key said.",
    claim(firstCommandClaim, "all_of_the_first_command"),
  ),
  other_commands_never_ran: execution(
    "A command that was refused for its key left nothing.",
    claim(othersNeverRan, "other_commands_never_ran"),
  ),
  replays_byte_equal: execution("Whoever got the stored answer of a command got the same bytes.", {
    ...claim(sameBytes, "replays_same_bytes"),
    ...tenant("Stored answers were replayed byte-equal", `answers ${WINDOW}`),
    service: replaysSame,
  }),
  answers_kept: execution(
    "An answer that is kept for replays stays until it is purged, so that a retry in its window gets it again.",
    {
      ...claim(keptAnswer, "one_kept_answer"),
      ...tenant("No kept answer is missing"),
    },
  ),
  open_rows_match: execution(
    "What is in progress or unknown is in the work queue, and nothing else is, so that recovery finds all of it.",
    tenant("Every open operation is in the queue", `${DAY}, and the whole work queue`),
  ),
  stale_leases_taken_over: execution(
    `No lease ended more than ${String(STALE_MINUTES)} minutes ago without somebody taking the operation over.`,
    { ...tenant("Every stale lease is taken over", "the whole work queue"), service: leasesFresh },
  ),
  one_ledger_entry: money("No payment, refund or void is posted twice.", {
    ...claim(oneEntry, "one_ledger_entry"),
    ...tenant("One ledger entry per effect"),
  }),
  ledger_matches_effects: money(
    "Each entry has the amount and the currency of a payment, refund or void that succeeded.",
    { ...claim(balances, "ledger_balances"), ...tenant("The ledger says what happened") },
  ),
  success_is_posted: money(
    "A payment, refund or void that succeeded is in the ledger after 5 minutes, or its message is known to wait, be dead or discarded.",
    tenant("Every success is posted"),
  ),
  refunds_within_payment: money(
    "What was refunded of a payment is never more than was paid, and the payment counts it right.",
    tenant("No refund exceeds its payment", `payments with a refund ${RECENT}`),
  ),
  success_has_message: message("No payment, refund or void succeeded without an outbox row.", {
    ...claim(oneEvent, "one_event"),
    ...tenant("Every success left a message"),
  }),
  delivered: message(
    "Each event was acknowledged by its receiver, however often it was sent.",
    claim(delivered, "delivered"),
  ),
  published_message_arrived: message(
    "Each message about money that was published to our own inbox has a row there after 5 minutes.",
    {
      ...claim(eachConsumerOnce, "each_consumer_once"),
      ...tenant("What was published has arrived", `messages published ${RECENT} to our own inbox`, "outbox"),
    },
  ),
  each_notification_once: message(
    "Each message to a person was written once.",
    claim(notifiedOnce, "each_notification_once"),
  ),
  dead_but_processed: message(
    "No message is dead on our side while a consumer has processed it: sending it again would be in vain.",
    tenant("Dead in the outbox, processed in the inbox", `dead messages ${WINDOW}`, "outbox"),
  ),
  no_payload_swap: message(
    "A message that arrived again brought the payload of the first time.",
    tenant("No message id came with another payload", `messages received ${RECENT}`, "inbox"),
  ),
  inbox_queue_matches: message(
    "What a consumer has yet to handle is in its work queue, and nothing else is, so that none is forgotten.",
    tenant("Every recorded message is in the queue", `messages received ${RECENT}, and the whole work queue`, "inbox"),
  ),
  dead_letters_are_dead: message(
    "No dead letter is open whose message went on, and none whose message is gone.",
    tenant("Every open dead letter has its dead message", `dead letters ${WINDOW}`, "find"),
  ),
  audit_chain_intact: record(
    "Each of the newest entries has its own hash and covers the one before it, and the last one is the chain's head.",
    tenant("The audit chain is whole", `the newest ${String(AUDIT_LINKS)} entries`, "audit"),
  ),
  audit_as_checkpointed: record(
    "No chain of the audit, this tenant's or the access log, was found to contradict its signed checkpoints.",
    tenant("The audit fits its checkpoints", `the last check of the worker, and checkpoints ${WINDOW}`, "audit"),
  ),
  plan_items_settled: record(
    "Every row of a plan that is done was done, skipped or failed.",
    tenant("A plan that is done has no waiting row", `plans that ended ${RECENT}`, "plans"),
  ),
} satisfies Readonly<Record<string, Check>>;
