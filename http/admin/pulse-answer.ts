import { createHash } from "node:crypto";
import type { Context } from "hono";
import { readSearch } from "@/presentation/filters/search";
import { readPulse } from "@/console/read/deployment/read-pulse";
import type { AdminEnv } from "../env";
import { jsonAnswer } from "../profiles/plain";
import { searchOf } from "./read-input";

/** The pulse with an ETag: a page that is up to date gets 304 and no body. Of the filters of the page, which come along, only the end of its time matters. */
export async function answerPulse(c: Context<AdminEnv>): Promise<Response> {
  const reader = readSearch(searchOf(c));
  const pulse = await readPulse(c.get("ctx"), {
    page: reader.text("page"),
    since: reader.time("since"),
    until: reader.time("to"),
  });
  // Its time is not part of it: it would never be the same twice.
  const tag = `"${createHash("sha256")
    .update(JSON.stringify([pulse.counts, pulse.newer, pulse.mark]))
    .digest("base64url")
    .slice(0, 22)}"`;
  const headers = { etag: tag, "cache-control": "private, no-cache" };
  const known = c.req
    .header("if-none-match")
    ?.split(",")
    .map((each) => each.trim().replace(/^W\//, ""));
  if (known?.includes(tag) === true) return new Response(null, { status: 304, headers });
  return jsonAnswer(c, pulse, { headers });
}
