import type { Hono } from "hono";
import { AUDIT_CHAINS } from "@/domain/access/audit-chain";
import { z } from "zod";
import {
  parseAuditFilters,
  parseConflictFilters,
  parseDeadLetterFilters,
  parseInboxFilters,
  parseHeatmapFilters,
  parseMetricFilters,
  parseOperationFilters,
  parseOutboxFilters,
  parseRiskFilters,
} from "@/presentation/filters/parsers";
import { standard } from "@/domain/lists/filters";
import { parserOf } from "@/presentation/filters/search";
import { find } from "@/console/read/operations/find";
import { listAttention } from "@/console/read/operations/list-attention";
import { listAudit } from "@/console/read/access/list-audit";
import { listConflicts } from "@/console/read/operations/list-conflicts";
import { listDeadLetters } from "@/console/read/messages/list-dead-letters";
import { listInbox, listOutbox } from "@/console/read/messages/list-messages";
import { listOperations } from "@/console/read/operations/list-operations";
import { readAuditEntry } from "@/console/read/access/read-audit-entry";
import { readConflict } from "@/console/read/operations/read-conflict";
import { readCounts } from "@/console/read/deployment/read-counts";
import { readInboxMessage, readOutboxMessage } from "@/console/read/messages/read-message";
import { readOperation } from "@/console/read/operations/read-operation";
import { readHeatmap } from "@/console/read/deployment/read-heatmap";
import { readMetrics } from "@/console/read/deployment/read-metrics";
import { findReferences } from "@/console/read/operations/find-references";
import { readReference } from "@/console/read/operations/read-reference";
import { parseReferenceCustomer, parseReferenceFilters } from "@/presentation/filters/references";
import { readOverview } from "@/console/read/deployment/read-overview";
import { listRetentionRuns } from "@/console/read/deployment/read-retention";
import { readSettings } from "@/console/read/access/read-settings";
import { verifyAudit } from "@/console/read/access/verify-audit";
import type { AdminEnv, Container } from "../env";
import { list, read, type AdminCall } from "./declare";
import { answerLiveStatus, PULSE } from "./live/live-status";
import { cursorOnly, searchOf, requiredQuery, understood } from "./read-input";

/** What the console shows, as JSON: the same verbs that its pages call. */
export function registerAdminReads(app: Hono<AdminEnv>): void {
  registerLists(app);
  registerAudit(app);
  registerQueues(app);
  registerReferences(app);
  const overview = { id: "readOverview", summary: "The status of the tenant now", filters: parseRiskFilters };
  list(app, "operations.read", "/overview", overview, (ctx, { filters }) => readOverview(ctx, filters));
  const metrics = { id: "readMetrics", summary: "Charts over time", filters: parseMetricFilters };
  list(app, "metrics.read", "/metrics", metrics, (ctx, { filters }) => readMetrics(ctx, filters));
  const heatmap = {
    id: "readHeatmap",
    summary: "Clients by time, and times as distributions",
    filters: parseHeatmapFilters,
  };
  list(app, "metrics.read", "/metrics/clients", heatmap, (ctx, { filters }) => readHeatmap(ctx, filters));
  const settings = { id: "readSettings", summary: "How this deployment is set up" };
  read(app, "settings.read", "/settings", settings, (ctx) => readSettings(ctx));
  const finding = {
    id: "find",
    summary: "Find anything by an id, a key or a name",
    query: { q: z.string() },
    errors: ["validation.filter"],
  };
  read(app, "operations.read", "/find", finding, async (ctx, c) => find(ctx, { q: requiredQuery(c, "q") }));
  read(app, "operations.read", "/pulse", PULSE, answerLiveStatus);
}

function registerLists(app: Hono<AdminEnv>): void {
  const operations = { id: "listOperations", summary: "Operations", filters: parseOperationFilters, paged: true };
  list(app, "operations.read", "/operations", operations, listOperations);
  const counts = { id: "countOperations", summary: "Operations by state" };
  read(app, "operations.read", "/operations/counts", counts, (ctx) => readCounts(ctx));
  const operation = {
    id: "readOperationRecord",
    summary: "An operation with everything known about it",
    notFound: "operation",
  };
  read(app, "operations.read", "/operations/:id", operation, (ctx, c) => readOperation(ctx, { operationId: idOf(c) }));
  const conflicts = {
    id: "listConflicts",
    summary: "Conflicts by client and operation",
    filters: parseConflictFilters,
  };
  list(app, "conflicts.read", "/conflicts", conflicts, (ctx, { filters }) => listConflicts(ctx, filters));
  const conflict = { id: "readConflict", summary: "A conflict: both commands side by side", notFound: "conflict" };
  read(app, "conflicts.read", "/conflicts/:id", conflict, (ctx, c) => readConflict(ctx, { eventId: idOf(c) }));
  const attention = {
    id: "listAttention",
    summary: "Operations that wait for a person",
    filters: cursorOnly,
    paged: true,
  };
  list(app, "operations.read", "/attention", attention, (ctx, { cursor }) => listAttention(ctx, { cursor }));
  const runs = {
    id: "listRetentionRuns",
    summary: "What retention deleted, and when",
    filters: cursorOnly,
    paged: true,
  };
  list(app, "retention.read", "/retention/runs", runs, (ctx, { cursor }) => listRetentionRuns(ctx, { cursor }));
}

function registerReferences(app: Hono<AdminEnv>): void {
  const search = {
    id: "findReferences",
    summary: "Order references by customer, amount and day",
    filters: parseReferenceFilters,
  };
  list(app, "operations.read", "/references", search, (ctx, { filters }) => findReferences(ctx, filters));
  const one = {
    id: "readReference",
    summary: "Everything under an order reference: keys, refunds, webhooks, ledger",
    filters: parseReferenceCustomer,
    notFound: "reference",
  };
  list(app, "operations.read", "/references/:reference", one, (ctx, { filters: { customer } }, c) =>
    readReference(ctx, { reference: c.req.param("reference") ?? "", customer }),
  );
}

function registerAudit(app: Hono<AdminEnv>): void {
  const audit = {
    id: "listAudit",
    summary: "The audit: who did what, and why",
    filters: parseAuditFilters,
    paged: true,
    errors: ["auth.person_only"],
  };
  list(app, "audit.read", "/audit", audit, listAudit);
  const chain = { filters: parseChain, errors: ["validation.filter", "auth.person_only"] };
  const verify = {
    id: "verifyAudit",
    summary: "Check the hash chain of the audit",
    query: { from: z.string().optional() },
    ...chain,
  };
  read(app, "audit.verify", "/audit/verify", verify, async (ctx, c) =>
    verifyAudit(ctx, { from: c.req.query("from"), ...chainOf(c) }),
  );
  const entry = { id: "readAuditEntry", summary: "An entry of the audit", notFound: "audit", ...chain };
  read(app, "audit.read", "/audit/:id", entry, async (ctx, c) => readAuditEntry(ctx, { id: idOf(c), ...chainOf(c) }));
}

function registerQueues(app: Hono<AdminEnv>): void {
  const outbox = { id: "listOutbox", summary: "Messages that go out", filters: parseOutboxFilters, paged: true };
  list(app, "outbox.read", "/outbox", outbox, (ctx, input, c) => listOutbox(ctx, { ...input, fallback: fallback(c) }));
  const sent = { id: "readOutboxMessage", summary: "A message that goes out", notFound: "outbox" };
  read(app, "outbox.read", "/outbox/:id", sent, (ctx, c) =>
    readOutboxMessage(ctx, { id: idOf(c), fallback: fallback(c) }),
  );
  const inbox = { id: "listInbox", summary: "Messages that came in", filters: parseInboxFilters, paged: true };
  list(app, "inbox.read", "/inbox", inbox, listInbox);
  const received = { id: "readInboxMessage", summary: "A message that came in", notFound: "inbox" };
  read(app, "inbox.read", "/inbox/:id", received, (ctx, c) =>
    readInboxMessage(ctx, { id: idOf(c), fallback: fallback(c) }),
  );
  const deadLetters = {
    id: "listDeadLetters",
    summary: "Dead letters by cause",
    filters: parseDeadLetterFilters,
    paged: true,
    query: { open: z.string().optional() },
    errors: ["validation.filter"],
  };
  read(app, "dead_letters.read", "/dead-letters", deadLetters, async (ctx, c) => {
    const { open, ...search } = searchOf(c);
    const { filters, cursor } = understood(parseDeadLetterFilters(search));
    return listDeadLetters(ctx, { filters, cursor, open: typeof open === "string" ? open : open?.[0] });
  });
}

/** @throws AppError `validation.filter` 400 */
function chainOf(c: AdminCall) {
  return understood(parseChain({ chain: c.req.query("chain") })).filters;
}

const parseChain = parserOf({ chain: standard("tenant", AUDIT_CHAINS) });

function idOf(c: AdminCall): string {
  return c.req.param("id") ?? "";
}

/** What carries a topic that no operator routed. */
function fallback(c: AdminCall): Container["config"]["outboxTransport"] {
  return c.get("deps").config.outboxTransport;
}
