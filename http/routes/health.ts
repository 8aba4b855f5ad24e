import type { Hono } from "hono";
import { z } from "zod";
import { withDeadline } from "@/db/deadline";
import { readiness as readReadiness } from "@/db/readiness";
import { replicaFacts } from "@/db/replica/page-reads";
import { guardNote, OWNER_NOTE } from "@/engine/guard-note";
import { pageReadsView } from "@/presentation/metrics/page-reads";
import { declare } from "../declare";
import type { ApiEnv, Container } from "../env";
import { jsonAnswer } from "../profiles/plain";

/** A probe that gets no answer learns less than one that gets a no; most give up after a few seconds. */
const READY_LIMIT_MS = 2_000;

const part = z.enum(["ok", "missing", "unchecked"]);
const parts = z.object({ database: part, migrations: part, worker: part });
/** What keeps this process from its work. A worker that is away is a fault of its own: requests are answered without one. */
const NEEDED = ["database", "migrations"] as const;
const readiness = z.object({
  status: z.enum(["ready", "not_ready"]),
  missing: z.array(z.string()),
  parts,
  notes: z.array(z.string()),
});
const LIVE = {
  id: "readLiveness",
  summary: "Whether the process answers",
  access: "public",
  answers: { 200: { text: "It does", schema: z.object({ status: z.literal("live") }) } },
} as const;
const READY = {
  id: "readReadiness",
  summary: "Whether the process can do its work",
  access: "public",
  answers: {
    200: { text: "It can", schema: readiness },
    503: { text: "A part is missing", schema: readiness, headers: ["Retry-After"] },
  },
} as const;

const WORKER = {
  id: "readWorkerHealth",
  summary: "Whether a worker is alive; answering requests needs none",
  access: "public",
  answers: {
    200: { text: "One is", schema: z.object({ worker: part }) },
    503: {
      text: "None has beaten lately, or the database does not answer",
      schema: z.object({ worker: part }),
      headers: ["Retry-After"],
    },
  },
} as const;
const NO_WORKER_NOTE =
  "No worker is alive: requests are answered, and recovery, messages and retention wait for one (GET /api/health/worker).";
const LATER = { status: 503, headers: { "retry-after": "2" } } as const;

export function registerHealth(app: Hono<ApiEnv>): void {
  // Says only that the process answers: a restart repairs nothing else.
  declare(app, "GET /api/health/live", LIVE, (c) => jsonAnswer(c, { status: "live" }));
  declare(app, "GET /api/health/ready", READY, async (c) => {
    const { guard, owner, ...checked } = await check(c.get("deps"));
    const replica = await replicaFacts(c.get("deps").replica);
    const missing = NEEDED.filter((name) => checked[name] === "missing");
    const body = {
      status: missing.length === 0 ? "ready" : "not_ready",
      missing,
      parts: checked,
      notes: [
        ...(guard === false ? [guardNote(guard)] : []),
        ...(guard === true && owner === true ? [OWNER_NOTE] : []),
        ...(checked.worker === "missing" ? [NO_WORKER_NOTE] : []),
        ...(replica === undefined ? [] : pageReadsView(replica).trouble),
      ],
    };
    return jsonAnswer(c, body, missing.length === 0 ? {} : LATER);
  });
  declare(app, "GET /api/health/worker", WORKER, async (c) => {
    const { worker } = await check(c.get("deps"));
    return jsonAnswer(c, { worker }, worker === "ok" ? {} : LATER);
  });
}

/** The guard is no part that is missing: all works without it, and somebody should know. */
async function check(
  deps: Container,
): Promise<z.infer<typeof parts> & { readonly guard?: boolean; readonly owner?: boolean }> {
  try {
    const { migrations, worker, guard, owner } = await withDeadline(performance.now() + READY_LIMIT_MS, () =>
      readReadiness(deps.db.pool),
    );
    return {
      database: "ok",
      migrations: migrations ? "ok" : "missing",
      worker: worker ? "ok" : "missing",
      ...(migrations && { guard, owner }),
    };
  } catch (error) {
    deps.log.warn({ err: error }, "not ready: the database does not answer");
    return { database: "missing", migrations: "unchecked", worker: "unchecked" };
  }
}
