import type { Context } from "hono";
import type { ExportFile } from "@/console/exports/export-file";
import { EXPORT_FORMATS, isExportFormat, type ExportFormat } from "@/presentation/list/export-writer";
import type { SearchInput } from "@/presentation/filters/search";
import type { AdminEnv } from "../../env";
import { createShare, SHARES, type Release } from "../../guard/share";
import { requestMetaOf } from "../../profiles/request-meta";
import { baseHeaders } from "../../profiles/headers";
import { badFilters } from "../read-input";

const share = createShare("The exports", SHARES.exports);

/** What a list comes as. */
export const EXPORT_TYPES = ["text/csv", "application/json", "application/x-ndjson"];

/** @throws AppError `validation.filter` 400 for a format that there is not */
export function formatOf(value: SearchInput[string]): ExportFormat {
  const text = typeof value === "string" ? value : (value?.[0] ?? "csv");
  if (isExportFormat(text)) return text;
  throw badFilters([{ name: "format", detail: `not one of ${EXPORT_FORMATS.join(", ")}` }]);
}

/**
 * Makes a file once it is its turn, and sends it. Nothing is read or audited before.
 *
 * @throws AppError `transient.busy` 503
 */
export async function download(c: Context<AdminEnv>, make: () => Promise<ExportFile>): Promise<Response> {
  const release = await share.take();
  try {
    return answer(c, await make(), release);
  } catch (error) {
    release();
    throw error;
  }
}

/** A file whose name says what it is, of which tenant and of when. */
function answer(
  c: Context<AdminEnv>,
  { name, extension, contentType, chunks }: ExportFile,
  release: Release,
): Response {
  const at = new Date().toISOString().replace(/[-:]|\.\d+/g, "");
  const headers = {
    ...baseHeaders(requestMetaOf(c)),
    "content-type": contentType,
    "content-disposition": `attachment; filename="${name}-${c.get("ctx").tenantId}-${at}.${extension}"`,
  };
  return new Response(streamOf(c, chunks, release), { headers });
}

/** One page at a time, as fast as it is read. What breaks half way breaks the download off, so that nobody takes it for whole. */
function streamOf(c: Context<AdminEnv>, chunks: AsyncIterable<string>, release: Release): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  const { log, requestId } = c.get("ctx");
  return new ReadableStream({
    async pull(controller) {
      try {
        const next = await iterator.next();
        if (next.done === true) {
          release();
          controller.close();
        } else controller.enqueue(encoder.encode(next.value));
      } catch (error) {
        release();
        log.error({ err: error, requestId }, "an export broke off");
        controller.error(error);
      }
    },
    async cancel() {
      release();
      await iterator.return?.();
    },
  });
}
