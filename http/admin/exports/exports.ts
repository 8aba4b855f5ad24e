import type { Hono } from "hono";
import type { FilterParser } from "@/presentation/filters/search";
import { z } from "zod";
import {
  parseInboxExportFilters,
  parseReplayOutcomeFilters,
  parseRetryLogFilters,
} from "@/presentation/filters/parsers";
import type { ExportFile } from "@/console/exports/export-file";
import { exportInbox, exportReplayOutcomes, exportRetryLog } from "@/console/exports/fixed-exports";
import type { EngineContext } from "@/engine/context";
import type { Action } from "@/domain/access/permission";
import type { AdminEnv } from "../../env";
import { download } from "./download";
import { registerListExports } from "./list-exports";
import { list } from "../declare";

/**
 * Every list, and the three CSV files with fixed columns (docs/EXPORTS.md). A GET, so that a link downloads it; that somebody
 * took it is audited.
 */
export function registerExports(app: Hono<AdminEnv>): void {
  registerListExports(app);
  const retryLog = { id: "exportRetryLog", summary: "Every request of one operation", errors: ["operation.not_found"] };
  route(app, "operations.read", "/exports/retry-log", retryLog, parseRetryLogFilters, exportRetryLog);
  const outcomes = { id: "exportReplayOutcomes", summary: "What replays were answered with" };
  route(app, "operations.read", "/exports/replay-outcomes", outcomes, parseReplayOutcomeFilters, exportReplayOutcomes);
  const inbox = { id: "exportConsumerInbox", summary: "What consumers were sent, and what became of it" };
  route(app, "inbox.read", "/exports/consumer-inbox", inbox, parseInboxExportFilters, exportInbox);
}

function route<Filters extends object>(
  app: Hono<AdminEnv>,
  permission: Action,
  path: string,
  about: { readonly id: string; readonly summary: string; readonly errors?: readonly string[] },
  parse: FilterParser<Filters>,
  take: (ctx: EngineContext, filters: Filters) => Promise<ExportFile>,
): void {
  const declaration = {
    ...about,
    filters: parse,
    answers: {
      200: { text: "A CSV file, docs/EXPORTS.md names its columns", types: ["text/csv"], schema: z.string() },
    },
    errors: ["export.too_many_rows", "transient.busy", ...(about.errors ?? [])],
  };
  list(app, permission, path, declaration, async (ctx, { filters }, c) => download(c, () => take(ctx, filters)));
}
