import type { Context } from "hono";
import { withoutDeadline } from "@/db/deadline";
import { logEnd } from "@/db/replica/measure";
import { actedCookie } from "@/domain/access/acted-cookie";
import { withTimeout } from "@/domain/with-timeout";
import type { ApiEnv, Container } from "../env";

const SAFE: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);
/** The act is done: its answer does not wait long for what only a page of the next seconds needs. */
const WAIT_MS = 1_000;

/**
 * After somebody acted by a browser: their pages are read from the primary until the read replica has what the log had then. Also after
 * a refusal and an answer that did not come, which may have written.
 */
export async function noteAct<Env extends ApiEnv>(c: Context<Env>): Promise<void> {
  const { replica, db, config } = c.get("deps") as Container;
  if (replica === undefined || SAFE.has(c.req.method)) return;
  const asked = withoutDeadline(() => logEnd(db.pool)).catch(() => undefined);
  const position = await withTimeout(asked, WAIT_MS, () => undefined);
  const secure = config.publicUrl.startsWith("https:");
  const cookie = actedCookie(position, config.basePath, { maxLagSeconds: config.readReplicaMaxLagSeconds, secure });
  c.header("set-cookie", cookie, { append: true });
}
