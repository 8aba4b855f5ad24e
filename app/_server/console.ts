import "server-only";

import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { v7 as uuidv7 } from "uuid";
import { readOperator, type Operator } from "@/auth/operator-session";
import { listTenants } from "@/db/queries/list-tenants";
import { AppError } from "@/domain/errors";
import { returnPath } from "@/domain/return-path";
import { engineContext, type EngineContext } from "@/engine/context";
import { processDeps } from "./deps";

/** Written by proxy.ts: layouts and this file are not told the address otherwise. */
const PATH_HEADER = "x-onceboard-path";
const TENANT_COOKIE = "ob_tenant";

/** Who looks, into which tenant, and the context that verbs take. */
export interface ConsoleRequest {
  readonly ctx: EngineContext;
  readonly operator: Operator;
  readonly tenant: string;
  readonly tenants: readonly string[];
  /** "Production" where the provider moves real money. */
  readonly environment: string;
}

/**
 * One per request, shared by the layout and its page.
 *
 * Redirects to sign-in without a session. The tenant is `?tenant=`, else the remembered one, else the first.
 * @throws AppError `tenant.none` 404 while there is no tenant at all
 */
export const consoleRequest = cache(async (): Promise<ConsoleRequest> => {
  const [sent, kept, deps] = await Promise.all([headers(), cookies(), processDeps()]);
  const path = returnPath(sent.get(PATH_HEADER) ?? "/");
  const operator = await readOperator(deps.auth, sent);
  if (operator === undefined) redirect(path === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(path)}`);
  const tenants = await listTenants(deps.db.pool);
  const asked = new URL(path, "http://console.invalid").searchParams.get("tenant") ?? kept.get(TENANT_COOKIE)?.value;
  const tenant = tenants.find((id) => id === asked) ?? tenants[0];
  if (tenant === undefined) throw new AppError("tenant.none", 404, "There is no tenant yet");
  const actor = { kind: "operator", id: operator.id, name: operator.name, role: operator.role } as const;
  const ctx = engineContext(deps.engine, { tenantId: tenant, actor, requestId: uuidv7() });
  return { ctx, operator, tenant, tenants, environment: deps.config.provider === "sandbox" ? "Sandbox" : "Production" };
});

/** The context alone, for a page that calls one verb. */
export async function consoleContext(): Promise<EngineContext> {
  return (await consoleRequest()).ctx;
}
