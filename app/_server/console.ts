import "server-only";

import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { v7 as uuidv7 } from "uuid";
import { actorOfOperator, readOperator, type Operator } from "@/auth/operator-session";
import { BROWSER_ZONE_COOKIE, shownZone, type ShownZone } from "@/components/shell/browser-zone";
import { listTenants } from "@/db/tenants";
import { AppError } from "@/domain/errors";
import { environmentName } from "@/presentation/format/words";
import { ownPage, returnPath } from "@/domain/access/return-path";
import { engineContext, type EngineContext } from "@/engine/context";
import { readOwningTenant } from "@/console/read/operations/read-owning-tenant";
import { attempt, pageRead } from "./attempt";
import { processContainer } from "./container";

/** Written by proxy.ts: Next gives a layout no address otherwise. */
const PATH_HEADER = "x-onceboard-path";
const TENANT_COOKIE = "ob_tenant";

/** Who looks, into which tenant, and the context that verbs take. */
export interface ConsoleRequest {
  readonly ctx: EngineContext;
  readonly operator: Operator;
  /** The zone of this browser, once it said so. */
  readonly browserZone: ShownZone | undefined;
  /** What times are written in for this person here. */
  readonly zone: ShownZone;
  readonly tenant: string;
  readonly tenants: readonly string[];
  /** "Production" where the provider moves real money. */
  readonly environment: string;
}

/**
 * One per request, shared by the layout and its page.
 *
 * Redirects to sign-in without a session. The tenant is `?tenant=`, else the remembered one, else the first; a link to one
 * thing that another tenant has is redirected to that tenant, so that it stays valid whatever is chosen.
 * @throws AppError `tenant.none` 404 while there is no tenant at all
 */
export const consoleRequest = cache(async (): Promise<ConsoleRequest> => {
  const [sent, kept, deps] = await Promise.all([headers(), cookies(), processContainer()]);
  const path = returnPath(sent.get(PATH_HEADER) ?? "/");
  const operator = await pageRead(() => readOperator(deps.auth, sent));
  if (operator === undefined) redirect(path === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(path)}`);
  const tenants = await pageRead(() => listTenants(deps.db.pool, undefined));
  const address = new URL(path, "http://console.invalid");
  const named = address.searchParams.get("tenant");
  const asked = named ?? kept.get(TENANT_COOKIE)?.value;
  const tenant = tenants.find((id) => id === asked) ?? tenants[0];
  if (tenant === undefined) throw new AppError("tenant.none", 404, "There is no tenant yet");
  const ctx = engineContext(deps.engine, { tenantId: tenant, actor: actorOfOperator(operator), requestId: uuidv7() });
  if (named === null && tenants.length > 1) await followTenant(ctx, address, tenants);
  const browserZone = shownZone(kept.get(BROWSER_ZONE_COOKIE)?.value);
  const zone = operator.zone === "local" ? (browserZone ?? "utc") : operator.zone;
  return {
    ctx,
    operator,
    browserZone,
    zone,
    tenant,
    tenants,
    environment: environmentName({ movesRealMoney: deps.modules.provider?.movesRealMoney ?? false }),
  };
});

/** Before the first byte of the page, while a redirect is still an answer of its own. */
async function followTenant(ctx: EngineContext, address: URL, tenants: readonly string[]): Promise<void> {
  const leads = ownPage(address.pathname);
  if (leads === undefined) return;
  const owner = await attempt(ctx, () => readOwningTenant(ctx, { ...leads, tenants }));
  if (!owner.ok || owner.value === undefined || owner.value === ctx.tenantId) return;
  address.searchParams.set("tenant", owner.value);
  redirect(`${address.pathname}${address.search}`);
}

/** The context alone, for a page that calls one verb. */
export async function consoleContext(): Promise<EngineContext> {
  return (await consoleRequest()).ctx;
}
