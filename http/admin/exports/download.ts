import type { Context } from "hono";
import type { ExportFile } from "@/console/exports/export-file";
import type { AdminEnv } from "../../env";
import { requestMetaOf } from "../../profiles/request-meta";
import { baseHeaders } from "../../profiles/headers";

/** A file whose name says what it is, of which tenant and of when. */
export function download(c: Context<AdminEnv>, { name, extension, contentType, chunks }: ExportFile): Response {
  const at = new Date().toISOString().replace(/[-:]|\.\d+/g, "");
  const headers = {
    ...baseHeaders(requestMetaOf(c)),
    "content-type": contentType,
    "content-disposition": `attachment; filename="${name}-${c.get("ctx").tenantId}-${at}.${extension}"`,
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
