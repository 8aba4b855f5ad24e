import type { Hono } from "hono";
import { withDeadline } from "@/db/deadline";
import { readiness } from "@/db/queries/readiness";
import { guardNote } from "@/engine/guard-note";
import type { ApiEnv, HttpDeps } from "../env";
import { jsonAnswer } from "../profiles/plain";

/** A probe that gets no answer learns less than one that is told no; most give up after a few seconds. */
const READY_LIMIT_MS = 2_000;

type Part = "ok" | "missing" | "unchecked";

interface Parts {
  readonly database: Part;
  readonly migrations: Part;
  readonly worker: Part;
}

export function registerHealth(app: Hono<ApiEnv>): void {
  // Says only that the process answers: a restart heals nothing else.
  app.get("/api/health/live", (c) => jsonAnswer(c, { status: "live" }));
  app.get("/api/health/ready", async (c) => {
    const { guard, ...parts } = await check(c.get("deps"));
    const missing = Object.entries(parts).flatMap(([name, part]) => (part === "missing" ? [name] : []));
    const body = {
      status: missing.length === 0 ? "ready" : "not_ready",
      missing,
      parts,
      notes: guard === false ? [guardNote(guard)] : [],
    };
    return jsonAnswer(c, body, missing.length === 0 ? {} : { status: 503, headers: { "retry-after": "2" } });
  });
}

/** The guard is no part that is missing: all works without it, and somebody should know. */
async function check(deps: HttpDeps): Promise<Parts & { readonly guard?: boolean }> {
  try {
    const { migrations, worker, guard } = await withDeadline(performance.now() + READY_LIMIT_MS, () =>
      readiness(deps.db.pool),
    );
    return {
      database: "ok",
      migrations: migrations ? "ok" : "missing",
      worker: worker ? "ok" : "missing",
      ...(migrations && { guard }),
    };
  } catch (error) {
    deps.log.warn({ err: error }, "not ready: the database does not answer");
    return { database: "missing", migrations: "unchecked", worker: "unchecked" };
  }
}
