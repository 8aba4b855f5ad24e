import { createHash } from "node:crypto";
import { z } from "zod";
import type { EngineContext } from "@/engine/context";
import { text, time } from "@/domain/lists/filters";
import { parserOf } from "@/presentation/filters/search";
import { readLiveStatus } from "@/console/read/deployment/read-live-status";
import { jsonAnswer, type JsonResponse } from "../profiles/plain";
import type { AdminCall } from "./declare";
import { searchOf } from "./read-input";

const parsePulse = parserOf({ page: text, since: time, until: { ...time, as: "to" } });

export const PULSE = {
  id: "readPulse",
  summary: "What is new since a page was read",
  filters: parsePulse,
  query: {
    above: z
      .string()
      .optional()
      .describe("Of a list of an attached database: the place of the first row on the screen"),
  },
  headers: { "If-None-Match": z.string().optional() },
  answers: { 200: { text: "What is new", headers: ["ETag"] }, 304: { text: "Nothing is new", types: [] } },
};

/** The live status with an ETag: a page that is up to date gets 304 and no body. Of the filters of the page, which come along, only the end of its time matters. */
export async function answerLiveStatus(
  ctx: EngineContext,
  c: AdminCall,
): Promise<JsonResponse<Awaited<ReturnType<typeof readLiveStatus>>>> {
  const above = c.req.query("above");
  const liveStatus = await readLiveStatus(ctx, { ...parsePulse(searchOf(c)).filters, above });
  // Its time is not part of it: it would never be the same twice.
  const tag = `"${createHash("sha256")
    .update(
      JSON.stringify([
        liveStatus.counts,
        liveStatus.newer,
        liveStatus.mark,
        liveStatus.down,
        liveStatus.source,
        liveStatus.reads,
      ]),
    )
    .digest("base64url")
    .slice(0, 22)}"`;
  const headers = { etag: tag, "cache-control": "private, no-cache" };
  const known = c.req
    .header("if-none-match")
    ?.split(",")
    .map((each) => each.trim().replace(/^W\//, ""));
  if (known?.includes(tag) === true) return new Response(null, { status: 304, headers });
  return jsonAnswer(c, liveStatus, { headers });
}
