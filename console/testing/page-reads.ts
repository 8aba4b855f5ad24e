import {
  parseAuditFilters,
  parseConflictFilters,
  parseDeadLetterFilters,
  parseInboxFilters,
  parseOperationFilters,
  parseOutboxFilters,
  parsePlanFilters,
  parsePlanItemFilters,
} from "@/presentation/filters/parsers";
import type { SearchInput } from "@/presentation/filters/search";
import { listPlans } from "@/console/plans/list-plans";
import { readPlan } from "@/console/plans/read-plan";
import { createProofSigner } from "@/console/proof/proof-signer";
import { readProof } from "@/console/proof/read-proof";
import { findReferences } from "@/console/read/operations/find-references";
import { find } from "@/console/read/operations/find";
import { listAttention } from "@/console/read/operations/list-attention";
import { foldedAudit } from "@/console/read/access/list-audit";
import { listConflicts } from "@/console/read/operations/list-conflicts";
import { listDeadLetters } from "@/console/read/messages/list-dead-letters";
import { listInbox, listOutbox } from "@/console/read/messages/list-messages";
import { listOperations } from "@/console/read/operations/list-operations";
import { readAuditEntry } from "@/console/read/access/read-audit-entry";
import { readConflict } from "@/console/read/operations/read-conflict";
import { listConsumers, readConsumer } from "@/console/read/messages/read-consumer";
import { readCounts } from "@/console/read/deployment/read-counts";
import { readInboxMessage, readOutboxMessage } from "@/console/read/messages/read-message";
import { readOperation } from "@/console/read/operations/read-operation";
import { readOverview } from "@/console/read/deployment/read-overview";
import { readOwningTenant } from "@/console/read/operations/read-owning-tenant";
import { readPolicies } from "@/console/read/deployment/read-policies";
import { readLiveStatus } from "@/console/read/deployment/read-live-status";
import { readReference } from "@/console/read/operations/read-reference";
import { readRetention } from "@/console/read/deployment/read-retention";
import { readSettings } from "@/console/read/access/read-settings";
import { readFlow } from "@/console/read/messages/read-flow";
import { listTopics, readTopic } from "@/console/read/messages/read-topic";
import { FLOW_WINDOWS } from "@/presentation/views/flow";
import type { EngineContext } from "@/engine/context";
import type { PageRead } from "./page-read";
import type { PageSamples } from "./page-samples";
import { RECORD_READS } from "./record-reads";
import { encodeCursor } from "@/domain/lists/cursor";

const DEPLOYMENT = { fallback: "http", offered: ["http"] } as const;
const SIGNER = createProofSigner("a secret of this run");
/** A place deep in a list, as somebody who pages has it. */
function deep(sort: string, value: string, id = "00000000-0000-7000-8000-000000000000"): string {
  return encodeCursor({ sort, direction: "next", value, id });
}

const operations = (
  name: string,
  search: (samples: PageSamples) => SearchInput,
  cursor?: (samples: PageSamples) => string,
): PageRead => ({
  name: `/operations ${name}`,
  read: (ctx, samples) =>
    listOperations(ctx, { filters: parseOperationFilters(search(samples)).filters, cursor: cursor?.(samples) }),
});
const inbox = (
  name: string,
  search: (samples: PageSamples) => SearchInput,
  cursor?: (samples: PageSamples) => string,
): PageRead => ({
  name: `/inbox ${name}`,
  read: (ctx, samples) =>
    listInbox(ctx, { filters: parseInboxFilters(search(samples)).filters, cursor: cursor?.(samples) }),
});
const outbox = (
  name: string,
  search: (samples: PageSamples) => SearchInput,
  cursor?: (samples: PageSamples) => string,
): PageRead => ({
  name: `/outbox ${name}`,
  read: (ctx, samples) =>
    listOutbox(ctx, { filters: parseOutboxFilters(search(samples)).filters, cursor: cursor?.(samples) }),
});
const audit = (name: string, search: (samples: PageSamples) => SearchInput): PageRead => ({
  name: `/audit ${name}`,
  read: (ctx, samples) => foldedAudit(ctx, { filters: parseAuditFilters(search(samples)).filters }),
});
const deadLetters = (name: string, search: SearchInput): PageRead => ({
  name: `/dead-letters ${name}`,
  read: (ctx) => listDeadLetters(ctx, { filters: parseDeadLetterFilters(search).filters }),
});
const conflicts = (name: string, search: (samples: PageSamples) => SearchInput): PageRead => ({
  name: `/conflicts ${name}`,
  read: (ctx, samples) => listConflicts(ctx, parseConflictFilters(search(samples)).filters),
});
const found = (name: string, text: (samples: PageSamples) => string): PageRead => ({
  name: `/find ${name}`,
  read: (ctx, samples) => find(ctx, { q: text(samples) }),
});
const status = (page: string): PageRead => ({
  name: `pulse of /${page}`,
  read: (ctx, samples) => readLiveStatus(ctx, { page, since: samples.recently }),
});

const LISTS: readonly PageRead[] = [
  operations("", () => ({})),
  operations("of a week", () => ({ range: "7d" })),
  operations("of all time", () => ({ range: "all" })),
  operations("oldest first", () => ({ range: "all", direction: "asc" })),
  operations(
    "deep in all time",
    () => ({ range: "all" }),
    ({ middle }) => deep("created:desc", middle),
  ),
  operations("that became unknown in an hour", () => ({ became: "unknown", range: "1h" })),
  operations("that became unknown in a week", () => ({ became: "unknown", range: "7d" })),
  operations("by amount", () => ({ sort: "amount" })),
  operations("by amount of a week", () => ({ sort: "amount", range: "7d" })),
  operations("by amount of all time", () => ({ sort: "amount", range: "all" })),
  operations("by expiry", () => ({ sort: "expires" })),
  operations("by expiry, first to go", () => ({ sort: "expires", direction: "asc" })),
  operations("by expiry of all time", () => ({ sort: "expires", range: "all" })),
  ...[
    "COMPLETED",
    "FAILED_REPLAYABLE",
    "FAILED_RETRYABLE",
    "EXPIRED",
    "IN_PROGRESS",
    "STALE",
    "UNKNOWN_REQUIRES_RECOVERY",
  ].map((state) => operations(`in ${state}`, () => ({ state }))),
  operations("EXPIRED of all time", () => ({ state: "EXPIRED", range: "all" })),
  operations("FAILED_RETRYABLE by amount of a week", () => ({
    state: "FAILED_RETRYABLE",
    sort: "amount",
    range: "7d",
  })),
  operations("in doubt", () => ({ attention: "true" })),
  operations("of a client", ({ client }) => ({ client })),
  operations("of a client of all time", ({ client }) => ({ client, range: "all" })),
  operations("not of a client", ({ client }) => ({ client: `!${client}` })),
  operations("of nobody", () => ({ client: "nobody", range: "all" })),
  operations("of an operation", () => ({ operation: "payments.void" })),
  operations("of the console", () => ({ operation: "admin.", range: "all" })),
  operations("of an account", ({ account }) => ({ account, range: "all" })),
  operations("of an account that did nothing", () => ({ account: "acc_none", range: "all" })),
  operations("of a reference", ({ reference }) => ({ reference, range: "all" })),
  operations("of a key", ({ key }) => ({ key, range: "all" })),
  operations("with an error", () => ({ error: "payment.duplicate_reference", range: "7d" })),
  operations("with an error that never was", () => ({ error: "never.seen", range: "all" })),
  operations("of amounts", () => ({ min: "100", max: "200", currency: "GBP" })),
  operations("of amounts that never were", () => ({ min: "900000", currency: "EUR", range: "all" })),
  { name: "/operations, its counts", read: (ctx) => readCounts(ctx) },
  conflicts("", () => ({})),
  conflicts("of a week", () => ({ range: "7d" })),
  conflicts("of a client", ({ client }) => ({ range: "7d", client })),
  conflicts("of half a month", ({ middle }) => ({ from: middle })),
  { name: "/attention", read: (ctx) => listAttention(ctx, {}) },
  outbox("", () => ({})),
  ...["pending", "failing", "dead", "discarded", "published"].map((state) => outbox(state, () => ({ state }))),
  outbox("published of all time", () => ({ state: "published", range: "all" })),
  outbox(
    "published, deep in all time",
    () => ({ state: "published", range: "all" }),
    ({ middle }) => deep("published", middle),
  ),
  outbox("published of a type", () => ({ state: "published", type: "account.opened", range: "7d" })),
  outbox("published of a topic that never was", () => ({ state: "published", topic: "never", range: "all" })),
  outbox("published of an aggregate", ({ aggregate }) => ({ state: "published", aggregate, range: "all" })),
  outbox("published of an operation", ({ operationId }) => ({ state: "published", operationId, range: "all" })),
  inbox("", () => ({})),
  inbox("of all time", () => ({ range: "all" })),
  inbox(
    "deep in all time",
    () => ({ range: "all" }),
    ({ middle }) => deep("received", middle),
  ),
  ...["recorded", "processed", "dead", "discarded"].map((state) => inbox(state, () => ({ state }))),
  inbox("dead of all time", () => ({ state: "dead", range: "all" })),
  inbox("failing", () => ({ failing: "true" })),
  inbox("duplicates of a week", () => ({ duplicates: "true", range: "7d" })),
  inbox("another payload, all time", () => ({ mismatches: "true", range: "all" })),
  inbox("of a consumer", () => ({ consumer: "provider-webhook", range: "7d" })),
  inbox("of a consumer that is none", () => ({ consumer: "nobody", range: "all" })),
  inbox("of a message", ({ messageId }) => ({ messageId, range: "all" })),
  inbox("of an operation", ({ operationId }) => ({ operationId, range: "all" })),
  inbox("with an error", () => ({ error: "ledger.closed", range: "all" })),
  ...FLOW_WINDOWS.map((window) => ({
    name: `/flow of ${window}`,
    read: (ctx: EngineContext) => readFlow(ctx, DEPLOYMENT, { window }),
  })),
  { name: "/topics", read: (ctx) => listTopics(ctx, DEPLOYMENT) },
  { name: "/topics/payments", read: (ctx) => readTopic(ctx, DEPLOYMENT, { topic: "payments" }) },
  { name: "/consumers", read: (ctx) => listConsumers(ctx) },
  { name: "/consumers/ledger", read: (ctx) => readConsumer(ctx, { consumer: "ledger" }) },
  { name: "/consumers/ledger of a week", read: (ctx) => readConsumer(ctx, { consumer: "ledger", range: "7d" }) },
  deadLetters("", {}),
  deadLetters("with the settled", { settled: "true" }),
  deadLetters("by count, of the inbox", { sort: "count", side: "inbox" }),
  { name: "/plans", read: (ctx) => listPlans(ctx, { filters: parsePlanFilters({}).filters }) },
  audit("", () => ({})),
  audit("of all time", () => ({ range: "all" })),
  audit("of an action", () => ({ action: "outbox.requeue", range: "all" })),
  audit("of a person", () => ({ actor: "Operator 3", range: "all" })),
  audit("of a subject", ({ subject }) => ({ subjectType: "operation", subjectId: subject, range: "all" })),
  { name: "/retention", read: (ctx) => readRetention(ctx, {}) },
  { name: "/settings", read: (ctx) => readSettings(ctx) },
  { name: "/policies", read: (ctx) => readPolicies(ctx, []) },
];

/** An hour of the past. @param hours ago */
function hourAgo(hours: number): { readonly from: string; readonly to: string } {
  const from = Date.now() - hours * 3_600_000;
  return { from: new Date(from).toISOString(), to: new Date(from + 3_600_000).toISOString() };
}

const DETAILS: readonly PageRead[] = [
  { name: "/", read: (ctx) => readOverview(ctx, { range: "6h" }) },
  { name: "/ of a week", read: (ctx) => readOverview(ctx, { range: "7d" }) },
  { name: "/ with a week of money at risk", read: (ctx) => readOverview(ctx, { risk: "7d" }) },
  { name: "/ with an hour three weeks ago", read: (ctx) => readOverview(ctx, { risk: "2h", ...hourAgo(21 * 24) }) },
  { name: "/ with a week three weeks ago", read: (ctx) => readOverview(ctx, { risk: "7d", ...hourAgo(21 * 24) }) },
  found("an operation", ({ operationId }) => operationId),
  found("a payment", ({ paymentId }) => paymentId),
  found("an id that is nothing", () => "0f0e0d0c-0b0a-7908-8706-050403020100"),
  found("an event", ({ eventId }) => eventId),
  found("a published message", ({ publishedId }) => publishedId),
  found("a message id", ({ messageId }) => messageId),
  found("a key", ({ key }) => key),
  found("a reference", ({ reference }) => reference),
  found("a provider key", ({ providerKey }) => providerKey),
  found("a provider's reference", ({ providerReference }) => providerReference),
  found("a text that is nothing", () => "nothing-of-ours"),
  found("an account", ({ account }) => account),
  found("an amount", ({ amount }) => amount),
  found("an amount that never was", () => "987654.32 EUR"),
  { name: "/references/{reference}", read: (ctx, { reference }) => readReference(ctx, { reference }) },
  {
    name: "/references/{reference} of a customer",
    read: (ctx, { reference, account }) => readReference(ctx, { reference, customer: account }),
  },
  { name: "/references of a customer", read: (ctx, { account }) => findReferences(ctx, { customer: account }) },
  { name: "/references of an amount", read: (ctx, { amount }) => findReferences(ctx, { amount }) },
  {
    name: "/references of a customer, an amount and a day",
    read: (ctx, { account, amount, middle }) =>
      findReferences(ctx, { customer: account, amount, day: middle.slice(0, 10) }),
  },
  { name: "/operations/{id}", read: (ctx, { operationId }) => readOperation(ctx, { operationId }) },
  { name: "/operations/{id} of a hot key", read: (ctx, { hotId }) => readOperation(ctx, { operationId: hotId }) },
  {
    name: "/operations/{id}/proof",
    read: (ctx, { operationId }) => readProof(ctx, { operationId, signer: SIGNER, deployment: "http://localhost" }),
  },
  {
    name: "/operations/{id} of whom",
    read: (ctx, { operationId }) =>
      readOwningTenant(ctx, { page: "operations", id: operationId, tenants: ["acme", "globex"] }),
  },
  {
    name: "/outbox/{id} of whom",
    read: (ctx, { publishedId }) =>
      readOwningTenant(ctx, { page: "outbox", id: publishedId, tenants: ["acme", "globex"] }),
  },
  { name: "/conflicts, one open", read: (ctx, { eventId }) => readConflict(ctx, { eventId }) },
  { name: "/outbox/{id}, published", read: (ctx, { publishedId }) => readOutboxMessage(ctx, { id: publishedId }) },
  { name: "/inbox/{id}", read: (ctx, { inboxId }) => readInboxMessage(ctx, { id: inboxId }) },
  { name: "/audit, one open", read: (ctx, { auditId }) => readAuditEntry(ctx, { id: auditId }) },
  {
    name: "/plans/{id}",
    read: (ctx, { planId }) => readPlan(ctx, { id: planId, filters: parsePlanItemFilters({}).filters }),
  },
  ...["", "operations", "inbox", "outbox", "audit"].map(status),
  {
    name: "pulse of /operations/{id}",
    read: (ctx, { operationId, recently }) =>
      readLiveStatus(ctx, { page: `operations/${operationId}`, since: recently }),
  },
];

/** Every read of every page, with each filter and sort: measured by `npm run bench -- --only pages`, looked at by the plan-shape test. */
export const PAGE_READS: readonly PageRead[] = [...LISTS, ...DETAILS, ...RECORD_READS];
