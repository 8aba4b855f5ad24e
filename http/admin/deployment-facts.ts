import type { Hono } from "hono";
import { z } from "zod";
import { WIRE_PROFILES } from "@/domain/access/permission";
import type { Config } from "@/domain/config";
import type { DeploymentFacts, DocumentedFact } from "@/domain/checks/checklist-facts";
import { DEFAULT_POLICY } from "@/domain/idempotency/policy";
import type { ExecuteAnswer } from "@/engine/execute/answer";
import type { ApiEnv, Container } from "../env";
import { routeFacts } from "../declare";
import { errorProfileOf } from "../profiles/profiles";

const KEY_PARAMETER = "#/components/parameters/IdempotencyKey";
const WINDOW = "x-idempotency-window";

const documentSchema = z.object({
  paths: z.record(
    z.string(),
    z.object({
      post: z
        .object({
          parameters: z.array(z.looseObject({ $ref: z.string().optional() })).default([]),
          responses: z.record(z.string(), z.unknown()).default({}),
          [WINDOW]: z.string().optional(),
        })
        .optional(),
    }),
  ),
});

/** What the checklist knows of this deployment besides its data, asked of the running app: its routes, its document, its metrics. */
export async function deploymentFacts(
  app: Pick<Hono<ApiEnv>, "routes" | "request">,
  { config }: Pick<Container, "config">,
): Promise<DeploymentFacts> {
  return {
    routes: routeFacts(app),
    profiles: WIRE_PROFILES.map((name) => ({ name, mark: markOfReplay(name) })),
    document: await documented(app, config.basePath),
    metrics: await metricNames(app, config),
    traces: config.otlpEndpoint !== undefined,
  };
}

/** Renders a replay as this profile does. */
function markOfReplay(name: (typeof WIRE_PROFILES)[number]): string | undefined {
  const at = new Date(0);
  const operation = {
    operationId: "00000000-0000-7000-8000-000000000000",
    state: "COMPLETED",
    createdAt: at,
    completedAt: at,
    expiresAt: at,
  } as const;
  const answer: ExecuteAnswer = {
    outcome: "replayed",
    operation,
    response: { status: 200, headers: { "content-type": "application/json" }, body: Buffer.from("{}") },
    schemaVersion: "1",
    by: "stored",
  };
  const meta = { requestId: "checklist", traceId: undefined, keyEcho: undefined, minimal: false };
  return errorProfileOf(name).answer(answer, DEFAULT_POLICY, meta).headers.get("idempotency-status") ?? undefined;
}

async function documented(
  app: Pick<Hono<ApiEnv>, "request">,
  basePath: string,
): Promise<readonly DocumentedFact[] | undefined> {
  const served = await app.request(`${basePath}/api/v1/openapi.json`);
  if (!served.ok) return undefined;
  const { paths } = documentSchema.parse(await served.json());
  return Object.entries(paths).flatMap(([path, { post }]) =>
    post?.parameters.some(({ $ref }) => $ref === KEY_PARAMETER) === true
      ? [{ path, window: post[WINDOW], statuses: Object.keys(post.responses) }]
      : [],
  );
}

async function metricNames(
  app: Pick<Hono<ApiEnv>, "request">,
  { basePath, metricsToken = "" }: Pick<Config, "basePath" | "metricsToken">,
): Promise<readonly string[] | undefined> {
  const headers = { authorization: `Bearer ${metricsToken}` };
  const served = await app.request(`${basePath}/api/metrics`, { headers });
  if (!served.ok) return undefined;
  return [...(await served.text()).matchAll(/^# TYPE (\S+) /gm)].map(([, name = ""]) => name);
}
