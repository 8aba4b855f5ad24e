import {
  balances,
  delivered,
  eachConsumerOnce,
  notifiedOnce,
  oneEntry,
  oneEvent,
  oneRow,
  sameCommand,
} from "../proof-effects";
import { claimedOnce, executedOnce, keptAnswer, lastOwnerSettled, othersNeverRan, sameBytes } from "../proof-execution";
import { actedOnce, noContradiction, oneProviderKey } from "../proof-provider";
import { AUDIT_LINKS, CHECK_HOURS, STALE_MINUTES, type Check } from "./check";
import { leasesFresh, replaysSame } from "./service";

const WINDOW = `of the last ${String(CHECK_HOURS)} hours`;
const DAY = `operations and messages ${WINDOW}`;

/** What must hold of the rows that retries leave, wherever one looks from. The invariants stand in this order. */
export const DATA_CHECKS = {
  one_key_row: {
    group: "One execution",
    statement: "A key stands for one operation.",
    claim: { names: ["one_key_row"], judge: claimedOnce },
  },
  executed_once: {
    group: "One execution",
    statement: "An operation is settled once, by every trace that a settlement leaves.",
    claim: { names: ["executed_once", "refused_once", "never_executed"], judge: executedOnce },
  },
  only_the_last_owner_wrote: {
    group: "One execution",
    statement: "No owner wrote after it had lost the operation.",
    claim: { names: ["only_the_last_owner_wrote"], judge: lastOwnerSettled },
  },
  one_provider_key: {
    group: "One execution",
    statement: "The provider is asked under one key, so that it can tell every attempt for the same.",
    claim: { names: ["one_provider_key"], judge: oneProviderKey },
  },
  one_execution_per_key: {
    group: "One execution",
    statement: "No key made the provider execute twice: one reference of the provider per operation.",
    claim: { names: ["provider_acted_once", "provider_did_nothing"], judge: actedOnce },
    tenant: { label: "One execution per key", page: "operations", looksAt: DAY },
  },
  provider_reference_once: {
    group: "One execution",
    statement: "No reference of the provider belongs to two operations: one charge never answers two keys.",
    tenant: { label: "One operation per provider reference", page: "operations", looksAt: DAY },
  },
  provider_never_contradicts: {
    group: "One execution",
    statement: "Nothing that the provider said contradicts the answer.",
    claim: { names: ["provider_never_contradicts"], judge: noContradiction },
  },
  one_business_row: {
    group: "One execution",
    statement: "One business row took effect.",
    claim: { names: ["one_payment", "one_refund", "one_void", "one_account"], judge: oneRow },
  },
  all_of_the_first_command: {
    group: "One execution",
    statement: "What was done is what the first command of the key said.",
    claim: { names: ["all_of_the_first_command"], judge: sameCommand },
  },
  other_commands_never_ran: {
    group: "One execution",
    statement: "A command that was refused for its key left nothing.",
    claim: { names: ["other_commands_never_ran"], judge: othersNeverRan },
  },
  replays_byte_equal: {
    group: "One execution",
    statement: "Everybody who sent the same command got the same bytes.",
    claim: { names: ["replays_same_bytes"], judge: sameBytes },
    tenant: { label: "Every replay was byte-equal", page: "operations", looksAt: `answers ${WINDOW}` },
    service: replaysSame,
  },
  answers_kept: {
    group: "One execution",
    statement: "What was answered is kept until its time is over, so that a retry gets it again.",
    claim: { names: ["one_kept_answer"], judge: keptAnswer },
    tenant: { label: "Every answer can be replayed", page: "operations", looksAt: DAY },
  },
  open_rows_match: {
    group: "One execution",
    statement:
      "What is in progress or unknown is in the work queue, and nothing else is, so that recovery finds all of it.",
    tenant: {
      label: "Every open operation is in the queue",
      page: "operations",
      looksAt: `${DAY}, and the whole work queue`,
    },
  },
  stale_leases_taken_over: {
    group: "One execution",
    statement: `No lease ended more than ${String(STALE_MINUTES)} minutes ago without somebody taking the operation over.`,
    tenant: { label: "Every stale lease is taken over", page: "operations", looksAt: "the whole work queue" },
    service: leasesFresh,
  },
  one_ledger_entry: {
    group: "Money",
    statement: "No payment, refund or void is posted twice.",
    claim: { names: ["one_ledger_entry"], judge: oneEntry },
    tenant: { label: "One ledger entry per effect", page: "operations", looksAt: DAY },
  },
  ledger_matches_effects: {
    group: "Money",
    statement: "Each entry has the amount and the currency of a payment, refund or void that succeeded.",
    claim: { names: ["ledger_balances"], judge: balances },
    tenant: { label: "The ledger says what happened", page: "operations", looksAt: DAY },
  },
  success_is_posted: {
    group: "Money",
    statement:
      "A payment, refund or void that succeeded is in the ledger after 5 minutes, or its message is known to wait, be dead or discarded.",
    tenant: { label: "Every success is posted", page: "operations", looksAt: DAY },
  },
  refunds_within_payment: {
    group: "Money",
    statement: "What was refunded of a payment is never more than was paid, and the payment counts it right.",
    tenant: {
      label: "No refund exceeds its payment",
      page: "operations",
      looksAt: `payments with a refund in the last ${String(CHECK_HOURS)} hours`,
    },
  },
  success_has_message: {
    group: "Messages",
    statement: "No payment, refund or void succeeded without an outbox row of the same commit.",
    claim: { names: ["one_event"], judge: oneEvent },
    tenant: { label: "Every success left a message", page: "operations", looksAt: DAY },
  },
  delivered: {
    group: "Messages",
    statement: "Each event was acknowledged by its receiver, however often it was sent.",
    claim: { names: ["delivered"], judge: delivered },
  },
  published_message_arrived: {
    group: "Messages",
    statement: "Each message about money that was published to our own inbox has a row there after 5 minutes.",
    claim: { names: ["each_consumer_once"], judge: eachConsumerOnce },
    tenant: {
      label: "What was published has arrived",
      page: "outbox",
      looksAt: `messages published in the last ${String(CHECK_HOURS)} hours to our own inbox`,
    },
  },
  each_notification_once: {
    group: "Messages",
    statement: "Each message to a person was written once.",
    claim: { names: ["each_notification_once"], judge: notifiedOnce },
  },
  dead_but_processed: {
    group: "Messages",
    statement: "No message is dead on our side while a consumer has processed it: sending it again would be in vain.",
    tenant: { label: "Dead in the outbox, processed in the inbox", page: "outbox", looksAt: `dead messages ${WINDOW}` },
  },
  no_payload_swap: {
    group: "Messages",
    statement: "A message that arrived again brought the payload of the first time.",
    tenant: {
      label: "No message id came with another payload",
      page: "inbox",
      looksAt: `messages received in the last ${String(CHECK_HOURS)} hours`,
    },
  },
  inbox_queue_matches: {
    group: "Messages",
    statement:
      "What a consumer has yet to handle is in its work queue, and nothing else is, so that none is forgotten.",
    tenant: {
      label: "Every recorded message is in the queue",
      page: "inbox",
      looksAt: `messages received in the last ${String(CHECK_HOURS)} hours, and the whole work queue`,
    },
  },
  dead_letters_are_dead: {
    group: "Messages",
    statement: "No dead letter is open whose message went on, and none whose message is gone.",
    tenant: {
      label: "Every open dead letter has its dead message",
      page: "find",
      looksAt: `dead letters ${WINDOW}`,
    },
  },
  audit_chain_intact: {
    group: "Records",
    statement:
      "Each of the newest entries has its own hash and covers the one before it, and the last one is the chain's head.",
    tenant: {
      label: "The audit chain is whole",
      page: "audit",
      looksAt: `the newest ${String(AUDIT_LINKS)} entries`,
    },
  },
  plan_items_settled: {
    group: "Records",
    statement: "Every row of a plan that ended by itself was done, skipped or failed.",
    tenant: {
      label: "A plan that is done has no waiting row",
      page: "plans",
      looksAt: `plans that ended in the last ${String(CHECK_HOURS)} hours`,
    },
  },
} as const satisfies Readonly<Record<string, Check>>;
