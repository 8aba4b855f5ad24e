import type { Hono } from "hono";
import { parseInboxExportFilters, parseReplayOutcomeFilters, parseRetryLogFilters } from "@/domain/filters/exports";
import { exportInbox } from "@/engine/export/export-inbox";
import { exportReplayOutcomes } from "@/engine/export/export-replay-outcomes";
import { exportRetryLog } from "@/engine/export/export-retry-log";
import type { AdminEnv } from "../env";
import { download } from "./download";
import { registerListExports } from "./list-exports";
import { searchOf, understood } from "./read-input";

/**
 * Every list, and the playbook's three CSV files (docs/EXPORTS.md). A GET, so that a link downloads it; that somebody took it is audited.
 */
export function registerExports(app: Hono<AdminEnv>): void {
  registerListExports(app);
  app.get("/exports/retry-log", async (c) => {
    const { filters } = understood(parseRetryLogFilters(searchOf(c)));
    return download(c, await exportRetryLog(c.get("ctx"), filters));
  });
  app.get("/exports/replay-outcomes", async (c) => {
    const { filters } = understood(parseReplayOutcomeFilters(searchOf(c)));
    return download(c, await exportReplayOutcomes(c.get("ctx"), filters));
  });
  app.get("/exports/consumer-inbox", async (c) => {
    const { filters } = understood(parseInboxExportFilters(searchOf(c)));
    return download(c, await exportInbox(c.get("ctx"), filters));
  });
}
