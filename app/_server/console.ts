import "server-only";

import { cookies, headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { cache } from "react";
import { v7 as uuidv7 } from "uuid";
import { actorOfOperator, readOperator, type Operator } from "@/auth/operator-session";
import type { Queryable } from "@/db/client";
import { BROWSER_ZONE_COOKIE, shownZone, type ShownZone } from "@/components/shell/browser-zone";
import { pageDatabase } from "@/db/replica/page-reads";
import { anyTenant, listTenantsAmong, tenantExists, TENANTS_PAGE } from "@/db/tenants";
import { ACTED_COOKIE, actedPosition } from "@/domain/access/acted-cookie";
import { roleInTenant, tenantsNamed } from "@/domain/access/grants";
import { AppError } from "@/domain/errors";
import { environmentName } from "@/presentation/format/words";
import { ownPage, returnPath } from "@/domain/access/return-path";
import { engineContext, type EngineContext } from "@/engine/context";
import { readOwningTenant } from "@/console/read/operations/read-owning-tenant";
import { attempt, pageRead, readOrAgain } from "./attempt";
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
 * Redirects to sign-in without a session, and to a page of its own without a grant. Of the tenants that are granted it is
 * `?tenant=`, else the remembered one, else the first. A named tenant that is not granted is not found, like one that there is not.
 * A link to one thing that another granted tenant has is redirected to that tenant, so that it stays valid whatever is chosen.
 * @throws AppError `tenant.none` 404 while there is no tenant at all
 */
export const consoleRequest = cache(async (): Promise<ConsoleRequest> => {
  const [sent, kept, deps] = await Promise.all([headers(), cookies(), processContainer()]);
  const path = returnPath(sent.get(PATH_HEADER) ?? "/");
  const operator = await pageRead(() => readOperator(deps.auth, sent));
  if (operator === undefined) redirect(path === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(path)}`);
  const tenants = await pageRead(() => grantedTenants(deps.db.pool, operator));
  const address = new URL(path, "http://console.invalid");
  const given = address.searchParams.get("tenant") ?? "";
  const named = given === "" ? undefined : given;
  const asked = named ?? kept.get(TENANT_COOKIE)?.value ?? "";
  const tenant = (await pageRead(() => isGranted(deps.db.pool, operator, tenants, asked))) ? asked : tenants[0];
  if (tenant === undefined) return nothingGranted(deps.db.pool);
  if (named !== undefined && named !== tenant) notFound();
  const db = pageDatabase(deps.db, deps.replica, actedPosition(kept.get(ACTED_COOKIE)?.value));
  const scope = { tenantId: tenant, actor: actorOfOperator(operator), requestId: uuidv7() };
  const ctx = engineContext({ ...deps.engine, db }, scope);
  if (named === undefined && tenants.length > 1) await followTenant(ctx, address, tenants);
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

/** @returns the first of the tenants that somebody may see, in order */
async function grantedTenants(db: Queryable, operator: Operator): Promise<string[]> {
  const found = await listTenantsAmong(db, tenantsNamed(operator));
  return found.filter((id) => roleInTenant(operator, id) !== undefined);
}

/** Also of one that is too far down to be listed. */
async function isGranted(db: Queryable, operator: Operator, listed: readonly string[], id: string): Promise<boolean> {
  if (listed.includes(id)) return true;
  return listed.length >= TENANTS_PAGE && roleInTenant(operator, id) !== undefined && tenantExists(db, id);
}

/** @returns who is signed in and sees no tenant; undefined when nobody is, or they see one */
export async function signedInWithoutTenant(): Promise<Operator | undefined> {
  const [sent, deps] = await Promise.all([headers(), processContainer()]);
  const operator = await pageRead(() => readOperator(deps.auth, sent));
  if (operator === undefined) return undefined;
  const tenants = await pageRead(() => grantedTenants(deps.db.pool, operator));
  return tenants.length === 0 ? operator : undefined;
}

async function nothingGranted(db: Queryable): Promise<never> {
  const some = await pageRead(() => anyTenant(db));
  if (some) redirect("/no-tenant");
  throw new AppError("tenant.none", 404, "There is no tenant yet");
}

/** Before the first byte of the page, while a redirect is still an answer of its own. */
async function followTenant(ctx: EngineContext, address: URL, tenants: readonly string[]): Promise<void> {
  const leads = ownPage(address.pathname);
  if (leads === undefined) return;
  const read = () => readOwningTenant(ctx, { ...leads, tenants });
  const owner = await attempt(ctx, () => readOrAgain(ctx, read));
  if (!owner.ok || owner.value === undefined || owner.value === ctx.tenantId) return;
  address.searchParams.set("tenant", owner.value);
  redirect(`${address.pathname}${address.search}`);
}

/** The context alone, for a page that calls one verb. */
export async function consoleContext(): Promise<EngineContext> {
  return (await consoleRequest()).ctx;
}
