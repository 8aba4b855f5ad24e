import type { Context, MiddlewareHandler } from "hono";
import { authenticateApiKey } from "@/auth/api-keys/api-keys";
import { actorOfOperator, readOperator, type Operator } from "@/auth/operator-session";
import { pageDatabase } from "@/db/replica/page-reads";
import { onlyTenant, tenantExists } from "@/db/tenants";
import { actedIn } from "@/domain/access/acted-cookie";
import { roleInTenant, tenantsNamed } from "@/domain/access/grants";
import { AppError } from "@/domain/errors";
import { noSuchTenant } from "@/engine/actions/require";
import { roleOfScopes } from "@/domain/access/permission";
import type { AdminEnv } from "../env";
import type { Services } from "../services";
import { forbidden, unauthenticated } from "./client";
import { actorOf, contextOf } from "./request-context";
import { noteAct } from "./note-act";
import { requireOwnSite } from "./same-site";

const TENANT = /^[a-z0-9-]{1,63}$/;
const TENANT_HEADER = "onceboard-tenant";

/**
 * Lets an operator's session or an API key of scope `admin` in, and says for which tenant. The route asks for its permission.
 *
 * @throws AppError `auth.…` 401 or 403, `tenant.…` 400 or 404, `validation.content_type` 415, `rate_limit.exceeded` 429
 */
export function adminGuard(services: Services): MiddlewareHandler<AdminEnv> {
  return async (c, next) => {
    const header = c.req.header("authorization");
    await (header === undefined ? enterBySession(c, services) : enterByKey(c, services, header));
    await next();
    if (header === undefined) await noteAct(c);
  };
}

async function enterByKey(c: Context<AdminEnv>, services: Services, header: string): Promise<void> {
  const client = await authenticateApiKey(services.deps.db, header);
  if (client === undefined) throw unauthenticated();
  c.set("client", client);
  if (roleOfScopes(client.scopes) === undefined) throw forbidden(["admin"]);
  services.limiters.admin.take(`key/${client.keyId}`);
  const wanted = wantedTenant(c);
  if (wanted !== undefined && wanted !== client.tenantId) {
    throw new AppError("auth.tenant", 403, "This API key belongs to another tenant");
  }
  // No browser sends a key by itself, so its site does not matter.
  c.set("ctx", contextOf(c, client.tenantId, actorOf(client)));
}

async function enterBySession(c: Context<AdminEnv>, services: Services): Promise<void> {
  const { auth, config } = services.deps;
  requireOwnSite(c.req.raw, config.publicUrl);
  const operator = await readOperator(auth, c.req.raw.headers);
  if (operator === undefined) {
    throw new AppError("auth.unauthenticated", 401, "Sign in first", {
      detail: "There is no session, or it ended. A program sends an API key of scope admin.",
    });
  }
  services.limiters.admin.take(`operator/${operator.id}`);
  const tenantId = await tenantOf(c, services, operator);
  c.set("operator", operator);
  c.set("ctx", contextOf(c, tenantId, actorOfOperator(operator)));
  if (!READS.has(c.req.method)) return;
  const { db, replica } = services.deps;
  c.set("pageDb", pageDatabase(db, replica, actedIn(c.req.header("cookie"))));
}

const READS: ReadonlySet<string> = new Set(["GET", "HEAD"]);

function wantedTenant(c: Context<AdminEnv>): string | undefined {
  return c.req.query("tenant") ?? c.req.header(TENANT_HEADER);
}

/** An operator sees the tenants that are granted, one at a time. */
async function tenantOf(c: Context<AdminEnv>, services: Services, operator: Operator): Promise<string> {
  const { pool } = services.deps.db;
  const wanted = wantedTenant(c);
  if (wanted === undefined) {
    const only = await onlyTenant(pool, tenantsNamed(operator));
    if (only !== undefined) return only;
    throw new AppError("tenant.missing", 400, "The tenant is missing", {
      detail: `Send ?tenant= or the header ${TENANT_HEADER}.`,
    });
  }
  const granted = TENANT.test(wanted) && roleInTenant(operator, wanted) !== undefined;
  if (granted && (await tenantExists(pool, wanted))) return wanted;
  throw noSuchTenant();
}
