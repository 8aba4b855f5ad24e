import type { Action } from "./permission";

/**
 * What each page of the console asks of its reader, by the folder of its `page.tsx`. The verb that the page calls asks it; a
 * test fails for a page without a row.
 */
export const PAGE_POLICIES: Readonly<Record<string, Action>> = {
  "/": "operations.read",
  "/operations": "operations.read",
  "/operations/[operationId]": "operations.read",
  "/operations/[operationId]/proof": "operations.read",
  "/views/[id]": "operations.read",
  "/conflicts": "conflicts.read",
  "/attention": "operations.read",
  "/outbox": "outbox.read",
  "/outbox/[id]": "outbox.read",
  "/topics": "outbox.read",
  "/topics/[topic]": "outbox.read",
  "/inbox": "inbox.read",
  "/inbox/[id]": "inbox.read",
  "/consumers": "inbox.read",
  "/consumers/[consumer]": "inbox.read",
  "/dead-letters": "dead_letters.read",
  "/plans": "plans.read",
  "/plans/[id]": "plans.read",
  "/policies": "policies.read",
  "/policies/[operation]": "policies.read",
  "/checklist": "invariants.read",
  "/retention": "retention.read",
  "/clients": "clients.read",
  "/clients/[client]": "clients.read",
  "/audit": "audit.read",
  "/find": "operations.read",
  "/approvals": "approvals.read",
  "/invariants": "invariants.read",
  "/metrics": "metrics.read",
  "/settings": "settings.read",
  "/settings/webhooks": "webhook_endpoints.read",
  "/settings/people": "operators.read",
  "/settings/sessions": "sessions.read_own",
  "/settings/security": "two_factor.change_own",
  "/settings/permissions": "permissions.read",
};
