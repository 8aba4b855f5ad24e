import { createHash } from "node:crypto";
import { z } from "zod";
import type { EngineContext } from "@/engine/context";
import { text, time } from "@/domain/lists/filters";
import { parserOf } from "@/presentation/filters/search";
import { readLiveStatus, type LiveStatusInput } from "@/console/read/deployment/read-live-status";
import { createReadShare } from "@/console/read/share-read";
import { requirePermission } from "@/engine/actions/require";
import { jsonAnswer, type JsonResponse } from "../../profiles/plain";
import type { AdminCall } from "../declare";
import { searchOf } from "../read-input";
import { createReadPace, givenIn, isPaced, tagOf } from "./read-pace";

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

/** Tabs that show the same page ask within the time of one poll; one read answers them. */
const SHARED_MS = 1_000;
const share = createReadShare(SHARED_MS);
const pace = createReadPace();

/**
 * The live status with an ETag: a page that is up to date gets 304 and no body. Of the filters of the page, which come along, only the end of
 * its time matters. Counts are of now, or of some seconds ago where many messages wait; the mark, at which a page reads itself again, may be
 * the one that the tab has, while many read.
 */
export async function answerLiveStatus(
  ctx: EngineContext,
  c: AdminCall,
): Promise<JsonResponse<Awaited<ReturnType<typeof readLiveStatus>>>> {
  const input = { ...parsePulse(searchOf(c)).filters, above: c.req.query("above") };
  const now = await readShared(ctx, input);
  const known = c.req
    .header("if-none-match")
    ?.split(",")
    .map((each) => each.trim().replace(/^W\//, ""));
  const given = pace.give(input.page ?? "", now.mark, givenIn(known?.[0]));
  const liveStatus = { ...now, mark: given.mark };
  // Its time is not part of it: it would never be the same twice.
  const digest = createHash("sha256")
    .update(JSON.stringify([liveStatus.counts, liveStatus.newer, liveStatus.down, liveStatus.source, liveStatus.reads]))
    .digest("base64url")
    .slice(0, 22);
  const tag = tagOf(digest, given);
  const headers = { etag: tag, "cache-control": "private, no-cache" };
  if (known?.includes(tag) === true) return new Response(null, { status: 304, headers });
  return jsonAnswer(c, liveStatus, { headers });
}

/**
 * Lists ask from when on rows are new to them, and a page of one thing is open once: they have reads of their own. So has everybody where
 * there is a read replica: who acted reads from the primary, and others do not.
 */
function readShared(ctx: EngineContext, input: LiveStatusInput): ReturnType<typeof readLiveStatus> {
  const { page = "" } = input;
  requirePermission(ctx, "operations.read");
  if (!isPaced(page) || ctx.db.reads !== undefined) return readLiveStatus(ctx, input);
  return share.of(ctx.db.pool, JSON.stringify([ctx.tenantId, page]), () => readLiveStatus(ctx, { page }));
}
