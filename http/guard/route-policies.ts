import type { Context } from "hono";
import { matchedRoutes } from "hono/route";
import type { Action, CallAction } from "@/domain/permission";
import type { ApiEnv } from "../env";

/** Where the admin routes begin. */
export const ADMIN_PREFIX = "/api/v1/admin/";

/**
 * What each admin route asks of a person's role (C.12). The guard asks it before the route's handler runs, and the verb behind it
 * asks again; a test fails for a route without a row and drives every row as every role.
 */
export const ADMIN_POLICIES: Readonly<Record<string, Action>> = {
  "GET operations": "operations.read",
  "GET operations/counts": "operations.read",
  "GET operations/:id": "operations.read",
  "GET operations/:id/proof": "operations.read",
  "GET operations/:id/callers": "operations.read",
  "GET conflicts": "conflicts.read",
  "GET conflicts/:id": "conflicts.read",
  "GET attention": "operations.read",
  "GET audit": "audit.read",
  "GET audit/verify": "audit.verify",
  "GET audit/:id": "audit.read",
  "GET retention/runs": "retention.read",
  "GET outbox": "outbox.read",
  "GET outbox/:id": "outbox.read",
  "GET inbox": "inbox.read",
  "GET inbox/:id": "inbox.read",
  "GET dead-letters": "dead_letters.read",
  "GET overview": "operations.read",
  "GET metrics": "metrics.read",
  "GET settings": "settings.read",
  "GET find": "operations.read",
  "GET pulse": "operations.read",
  "GET exports/operations": "operations.read",
  "GET exports/attention": "operations.read",
  "GET exports/conflicts": "conflicts.read",
  "GET exports/outbox": "outbox.read",
  "GET exports/inbox": "inbox.read",
  "GET exports/dead-letters": "dead_letters.read",
  "GET exports/plans": "plans.read",
  "GET exports/audit": "audit.export",
  "GET exports/retry-log": "operations.read",
  "GET exports/replay-outcomes": "operations.read",
  "GET exports/consumer-inbox": "inbox.read",
  "GET invariants": "invariants.read",
  "GET invariants/runs": "invariants.read",
  "POST invariants/check": "invariants.run",
  "POST operations/:id/reconcile": "operations.reconcile",
  "POST operations/:id/resolve": "operations.resolve",
  "POST operations/:id/purge-body": "operations.purge_body",
  "POST operations/:id/reveal": "bodies.reveal",
  "POST outbox/:id/requeue": "outbox.requeue",
  "POST inbox/:id/requeue": "inbox.requeue",
  "POST outbox/:id/discard": "outbox.discard",
  "POST inbox/:id/discard": "inbox.discard",
  "POST retention/preview": "retention.preview",
  "POST retention/runs": "retention.run",
  "GET policies": "policies.read",
  "POST policies/:operation": "policies.write",
  "GET webhook-endpoints": "webhook_endpoints.read",
  "POST webhook-endpoints": "webhook_endpoints.create",
  "POST webhook-endpoints/:id/change": "webhook_endpoints.change",
  "POST webhook-endpoints/:id/rotate-secret": "webhook_endpoints.rotate_secret",
  "POST webhook-endpoints/:id/disable": "webhook_endpoints.disable",
  "POST webhook-endpoints/:id/enable": "webhook_endpoints.enable",
  "POST webhook-endpoints/:id/delete": "webhook_endpoints.delete",
  "GET event-sources": "settings.read",
  "POST event-sources": "event_sources.add_secret",
  "POST event-sources/:source/secrets": "event_sources.add_secret",
  "GET topics": "outbox.read",
  "GET topics/:topic": "outbox.read",
  "POST topics/:topic/pause": "topics.pause",
  "POST topics/:topic/resume": "topics.resume",
  "POST topics/:topic/route": "topics.route",
  "GET consumers": "inbox.read",
  "GET consumers/:consumer": "inbox.read",
  "GET views": "operations.read",
  "GET views/:id": "operations.read",
  "POST views": "views.write",
  "POST views/:id/change": "views.write",
  "POST views/:id/delete": "views.write",
  "GET plans": "plans.read",
  "GET plans/:id": "plans.read",
  "POST plans": "plans.create",
  "POST plans/:id/rerun": "plans.create",
  "POST plans/:id/start": "plans.start",
  "POST plans/:id/decide": "plans.decide",
  "POST plans/:id/abort": "plans.abort",
  "GET clients": "clients.read",
  "GET clients/:client": "clients.read",
  "POST clients": "clients.manage",
  "POST clients/:client/change": "clients.manage",
  "POST clients/:client/keys": "clients.manage",
  "POST clients/:client/keys/:keyId/rotate": "clients.manage",
  "POST clients/:client/keys/:keyId/revoke": "clients.manage",
  "POST event-sources/:source/secrets/:secretId/expire": "event_sources.expire_secret",
  "GET people": "operators.read",
  "POST people": "operators.invite",
  "POST people/:id/link": "operators.invite",
  "POST people/:id/role": "operators.change_role",
  "POST people/:id/disable": "operators.disable",
  "POST people/:id/enable": "operators.enable",
  "POST people/:id/reset-two-factor": "operators.reset_two_factor",
  "POST people/:id/end-sessions": "operators.end_sessions",
  "POST step-up": "two_factor.change_own",
  "GET sessions": "sessions.read_own",
  "POST sessions/end": "sessions.revoke_own",
  "POST two-factor/start": "two_factor.change_own",
  "POST two-factor/confirm": "two_factor.change_own",
  "POST two-factor/stop": "two_factor.change_own",
  "GET checklist": "invariants.read",
};

/** Everything else that is reachable: by a program's scopes, by a proof of its own, or by anybody because it tells nothing. */
export const OTHER_POLICIES: Readonly<Record<string, CallAction | "public" | "signature" | "sign-in">> = {
  "POST /api/v1/payments": "payments.write",
  "POST /api/v1/refunds": "payments.write",
  "POST /api/v1/payments/:id/void": "payments.write",
  "GET /api/v1/payments/:id": "payments.read",
  "GET /api/v1/refunds/:id": "payments.read",
  "POST /api/v1/accounts": "accounts.write",
  "GET /api/v1/accounts/:id": "accounts.read",
  "PUT /api/v1/accounts/:id/settings/default-currency": "accounts.write",
  "POST /api/v1/mesh": "payments.write",
  "GET /api/v1/operations/:operationId": "operations.status",
  // By a signature, or by a key of scope events.
  "POST /api/v1/events/:source": "signature",
  "ALL /api/auth/*": "sign-in",
  "GET /api/health/live": "public",
  "GET /api/health/ready": "public",
  "GET /api/metrics": "public",
  "GET /api/v1/openapi.json": "public",
  "GET /api/v1/docs": "public",
  "GET /api/v1/proof-keys": "public",
};

/** @returns what the admin route of this request asks for; undefined for an address that is no route */
export function adminPolicyOf<Env extends ApiEnv>(c: Context<Env>): Action | undefined {
  for (const { method, path } of matchedRoutes(c)) {
    if (method !== c.req.method || !path.startsWith(ADMIN_PREFIX)) continue;
    const action = ADMIN_POLICIES[`${method} ${path.slice(ADMIN_PREFIX.length)}`];
    if (action !== undefined) return action;
  }
  return undefined;
}
