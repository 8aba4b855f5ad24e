import type { Hono } from "hono";
import {
  parseInboxExportFilters,
  parseReplayOutcomeFilters,
  parseRetryLogFilters,
} from "@/presentation/filters/exports";
import type { CsvExport } from "@/console/exports/csv-export";
import { exportInbox } from "@/console/exports/export-inbox";
import { exportReplayOutcomes } from "@/console/exports/export-replay-outcomes";
import { exportRetryLog } from "@/console/exports/export-retry-log";
import type { AdminEnv } from "../env";
import { download, type Download } from "./download";
import { registerListExports } from "./list-exports";
import { searchOf, understood } from "./read-input";

/**
 * Every list, and the three CSV files with fixed columns (docs/EXPORTS.md). A GET, so that a link downloads it; that somebody took it is audited.
 */
export function registerExports(app: Hono<AdminEnv>): void {
  registerListExports(app);
  app.get("/exports/retry-log", async (c) => {
    const { filters } = understood(parseRetryLogFilters(searchOf(c)));
    return download(c, csv(await exportRetryLog(c.get("ctx"), filters)));
  });
  app.get("/exports/replay-outcomes", async (c) => {
    const { filters } = understood(parseReplayOutcomeFilters(searchOf(c)));
    return download(c, csv(await exportReplayOutcomes(c.get("ctx"), filters)));
  });
  app.get("/exports/consumer-inbox", async (c) => {
    const { filters } = understood(parseInboxExportFilters(searchOf(c)));
    return download(c, csv(await exportInbox(c.get("ctx"), filters)));
  });
}

function csv({ name, chunks }: CsvExport): Download {
  return { name, extension: "csv", contentType: "text/csv; charset=utf-8; header=present", chunks };
}
