import type { Context, Hono } from "hono";
import { parseInboxExportFilters, parseReplayOutcomeFilters, parseRetryLogFilters } from "@/domain/filters/exports";
import type { CsvExport } from "@/engine/export/csv-export";
import { exportInbox } from "@/engine/export/export-inbox";
import { exportReplayOutcomes } from "@/engine/export/export-replay-outcomes";
import { exportRetryLog } from "@/engine/export/export-retry-log";
import type { AdminEnv } from "../env";
import { askedOf } from "../profiles/asked";
import { baseHeaders } from "../profiles/headers";
import { searchOf, understood } from "./read-input";

/**
 * The playbook's three CSV files (S3.9, docs/EXPORTS.md). A GET, so that a link downloads it; that somebody took it is audited.
 */
export function registerExports(app: Hono<AdminEnv>): void {
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

function download(c: Context<AdminEnv>, { name, chunks }: CsvExport): Response {
  const at = new Date().toISOString().replace(/[-:]|\.\d+/g, "");
  const headers = {
    ...baseHeaders(askedOf(c)),
    "content-type": "text/csv; charset=utf-8; header=present",
    "content-disposition": `attachment; filename="${name}-${c.get("ctx").tenantId}-${at}.csv"`,
  };
  return new Response(streamOf(c, chunks), { headers });
}

/** One page at a time, as fast as it is read. What breaks half way breaks the download off, so that nobody takes it for whole. */
function streamOf(c: Context<AdminEnv>, chunks: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  const { log, requestId } = c.get("ctx");
  return new ReadableStream({
    async pull(controller) {
      try {
        const next = await iterator.next();
        if (next.done === true) controller.close();
        else controller.enqueue(encoder.encode(next.value));
      } catch (error) {
        log.error({ err: error, requestId }, "an export broke off");
        controller.error(error);
      }
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}
