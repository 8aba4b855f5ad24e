import type { Context, Hono } from "hono";
import { AUDIT_CHAINS, type AuditChain } from "@/domain/access/audit-chain";
import { parseAuditFilters } from "@/presentation/filters/audit";
import { parseConflictFilters } from "@/presentation/filters/conflicts";
import { parseDeadLetterFilters } from "@/presentation/filters/dead-letters";
import { parseInboxFilters } from "@/presentation/filters/inbox";
import { parseMetricFilters } from "@/presentation/filters/metrics";
import { parseOperationFilters } from "@/presentation/filters/operations";
import { parseOutboxFilters } from "@/presentation/filters/outbox";
import { parseOverviewFilters } from "@/presentation/filters/overview";
import { readSearch } from "@/presentation/filters/search";
import { find } from "@/console/read/operations/find";
import { listAttention } from "@/console/read/operations/list-attention";
import { listAudit } from "@/console/read/access/list-audit";
import { listConflicts } from "@/console/read/operations/list-conflicts";
import { listDeadLetters } from "@/console/read/messages/list-dead-letters";
import { listInbox } from "@/console/read/messages/list-inbox";
import { listOperations } from "@/console/read/operations/list-operations";
import { listOutbox } from "@/console/read/messages/list-outbox";
import { readAuditEntry } from "@/console/read/access/read-audit-entry";
import { readConflict } from "@/console/read/operations/read-conflict";
import { readCounts } from "@/console/read/deployment/read-counts";
import { readInboxMessage } from "@/console/read/messages/read-inbox-message";
import { readOperation } from "@/console/read/operations/read-operation";
import { readOutboxMessage } from "@/console/read/messages/read-outbox-message";
import { readMetrics } from "@/console/read/deployment/read-metrics";
import { readOverview } from "@/console/read/deployment/read-overview";
import { listRetentionRuns } from "@/console/read/deployment/read-retention";
import { readSettings } from "@/console/read/access/read-settings";
import { verifyAudit } from "@/console/read/access/verify-audit";
import type { AdminEnv, HttpDeps } from "../env";
import { jsonAnswer } from "../profiles/plain";
import { answerPulse } from "./pulse-answer";
import { found, onlyCursor, searchOf, text, understood } from "./read-input";

type Call = Context<AdminEnv>;

/** What the console shows, as JSON: the same verbs that its pages call. */
export function registerAdminReads(app: Hono<AdminEnv>): void {
  registerLists(app);
  registerQueues(app);
  app.get("/overview", async (c) =>
    jsonAnswer(c, await readOverview(ctx(c), understood(parseOverviewFilters(searchOf(c))).filters)),
  );
  app.get("/metrics", async (c) =>
    jsonAnswer(c, await readMetrics(ctx(c), understood(parseMetricFilters(searchOf(c))).filters)),
  );
  app.get("/settings", async (c) => jsonAnswer(c, await readSettings(ctx(c))));
  app.get("/find", async (c) => jsonAnswer(c, await find(ctx(c), { q: text(c, "q") })));
  app.get("/pulse", answerPulse);
}

function registerLists(app: Hono<AdminEnv>): void {
  app.get("/operations", async (c) => {
    const { filters, cursor } = understood(parseOperationFilters(searchOf(c)));
    return jsonAnswer(c, await listOperations(ctx(c), { filters, cursor }));
  });
  app.get("/operations/counts", async (c) => jsonAnswer(c, await readCounts(ctx(c))));
  app.get("/operations/:id", async (c) =>
    jsonAnswer(c, found(await readOperation(ctx(c), { operationId: c.req.param("id") }), "operation")),
  );
  app.get("/conflicts", async (c) => {
    const { filters } = understood(parseConflictFilters(searchOf(c)));
    return jsonAnswer(c, await listConflicts(ctx(c), filters));
  });
  app.get("/conflicts/:id", async (c) =>
    jsonAnswer(c, found(await readConflict(ctx(c), { eventId: c.req.param("id") }), "conflict")),
  );
  app.get("/attention", async (c) => jsonAnswer(c, await listAttention(ctx(c), onlyCursor(c))));
  app.get("/audit", async (c) => {
    const { filters, cursor } = understood(parseAuditFilters(searchOf(c)));
    return jsonAnswer(c, await listAudit(ctx(c), { filters, cursor }));
  });
  app.get("/audit/verify", async (c) =>
    jsonAnswer(c, await verifyAudit(ctx(c), { from: c.req.query("from"), chain: chainOf(c) })),
  );
  app.get("/audit/:id", async (c) =>
    jsonAnswer(c, found(await readAuditEntry(ctx(c), { id: c.req.param("id"), chain: chainOf(c) }), "audit")),
  );
  app.get("/retention/runs", async (c) => jsonAnswer(c, await listRetentionRuns(ctx(c), onlyCursor(c))));
}

function registerQueues(app: Hono<AdminEnv>): void {
  app.get("/outbox", async (c) => {
    const { filters, cursor } = understood(parseOutboxFilters(searchOf(c)));
    return jsonAnswer(c, await listOutbox(ctx(c), { filters, cursor, fallback: fallback(c) }));
  });
  app.get("/outbox/:id", async (c) =>
    jsonAnswer(c, found(await readOutboxMessage(ctx(c), { id: c.req.param("id"), fallback: fallback(c) }), "outbox")),
  );
  app.get("/inbox", async (c) => {
    const { filters, cursor } = understood(parseInboxFilters(searchOf(c)));
    return jsonAnswer(c, await listInbox(ctx(c), { filters, cursor }));
  });
  app.get("/inbox/:id", async (c) =>
    jsonAnswer(c, found(await readInboxMessage(ctx(c), { id: c.req.param("id"), fallback: fallback(c) }), "inbox")),
  );
  app.get("/dead-letters", async (c) => {
    const { open, ...search } = searchOf(c);
    const { filters, cursor } = understood(parseDeadLetterFilters(search));
    return jsonAnswer(
      c,
      await listDeadLetters(ctx(c), { filters, cursor, open: typeof open === "string" ? open : open?.[0] }),
    );
  });
}

/** @throws AppError `validation.filter` 400 */
function chainOf(c: Call): AuditChain {
  const reader = readSearch({ chain: c.req.query("chain") });
  const chain = reader.choice("chain", AUDIT_CHAINS, "tenant");
  understood(reader.done({}));
  return chain;
}

/** What carries a topic of which no operator said otherwise. */
function fallback(c: Call): HttpDeps["config"]["outboxTransport"] {
  return c.get("deps").config.outboxTransport;
}

function ctx(c: Call): AdminEnv["Variables"]["ctx"] {
  return c.get("ctx");
}
