import type { Role } from "./states";

/** What a person may do in the console, and the least role that may. A viewer reads, but no bodies; an operator acts;
 * whatever deletes for good or hands out access needs an admin. The list is closed: what is not here is not allowed. */
const LEAST_ROLE = {
  "operations.read": "viewer",
  "conflicts.read": "viewer",
  "outbox.read": "viewer",
  "inbox.read": "viewer",
  "dead_letters.read": "viewer",
  "plans.read": "viewer",
  "metrics.read": "viewer",
  "invariants.read": "viewer",
  "retention.read": "viewer",
  "policies.read": "viewer",
  "clients.read": "viewer",
  "audit.read": "viewer",
  "settings.read": "viewer",
  "webhook_endpoints.read": "viewer",
  "bodies.reveal": "operator",
  "operations.reconcile": "operator",
  "operations.resolve": "operator",
  "operations.purge_body": "operator",
  "outbox.requeue": "operator",
  "inbox.requeue": "operator",
  "topics.pause": "operator",
  "topics.resume": "operator",
  "topics.route": "admin",
  "outbox.discard": "operator",
  "inbox.discard": "operator",
  "plans.create": "operator",
  "plans.start": "operator",
  "plans.abort": "operator",
  "plans.decide": "admin",
  "retention.preview": "operator",
  "retention.run": "admin",
  "policies.write": "admin",
  "webhook_endpoints.create": "admin",
  "webhook_endpoints.change": "admin",
  "webhook_endpoints.disable": "admin",
  "webhook_endpoints.enable": "admin",
  "webhook_endpoints.rotate_secret": "admin",
  "event_sources.add_secret": "admin",
  "webhook_endpoints.delete": "admin",
  "clients.manage": "admin",
  "operators.manage": "admin",
} as const satisfies Record<string, Role>;

export type Action = keyof typeof LEAST_ROLE;

export const ACTIONS = Object.keys(LEAST_ROLE) as readonly Action[];

/** The first words of the sentence that says why not. */
const ACTION_LABEL: Record<Action, string> = {
  "operations.read": "Reading operations",
  "conflicts.read": "Reading conflicts",
  "outbox.read": "Reading the outbox",
  "inbox.read": "Reading the inbox",
  "dead_letters.read": "Reading dead letters",
  "plans.read": "Reading plans",
  "metrics.read": "Reading metrics",
  "invariants.read": "Reading invariants",
  "retention.read": "Reading retention",
  "policies.read": "Reading policies",
  "clients.read": "Reading clients",
  "audit.read": "Reading the audit",
  "settings.read": "Reading settings",
  "webhook_endpoints.read": "Reading webhook endpoints",
  "bodies.reveal": "Reveal a body",
  "operations.reconcile": "Reconcile",
  "operations.resolve": "Resolve",
  "operations.purge_body": "Purge a body",
  "outbox.requeue": "Requeue",
  "inbox.requeue": "Requeue",
  "topics.pause": "Pausing a topic",
  "topics.resume": "Resuming a topic",
  "topics.route": "Changing how a topic travels",
  "outbox.discard": "Discard",
  "inbox.discard": "Discard",
  "plans.create": "Making a plan",
  "plans.start": "Starting a plan",
  "plans.abort": "Aborting a plan",
  "plans.decide": "Approving or rejecting a plan",
  "retention.preview": "Preview a purge",
  "retention.run": "Purge expired bodies",
  "policies.write": "Changing a policy",
  "webhook_endpoints.create": "Making a webhook endpoint",
  "webhook_endpoints.change": "Changing a webhook endpoint",
  "webhook_endpoints.disable": "Disabling a webhook endpoint",
  "webhook_endpoints.enable": "Enabling a webhook endpoint",
  "webhook_endpoints.rotate_secret": "Rotating a webhook secret",
  "event_sources.add_secret": "Adding a secret to an event source",
  "webhook_endpoints.delete": "Deleting a webhook endpoint",
  "clients.manage": "Managing clients",
  "operators.manage": "Managing operators",
};

const RANK: Record<Role, number> = { viewer: 0, operator: 1, admin: 2 };

/** @returns whether somebody of this role may do it; false without a role. */
export function can(role: Role | undefined, action: Action): boolean {
  return role !== undefined && RANK[role] >= RANK[LEAST_ROLE[action]];
}

/** @returns the least role that may do it. */
export function requiredRole(action: Action): Role {
  return LEAST_ROLE[action];
}

/** @returns the sentence beside a disabled control, or undefined when it is allowed. */
export function whyNot(role: Role | undefined, action: Action): string | undefined {
  if (can(role, action)) return undefined;
  const need = `${ACTION_LABEL[action]} needs the role ${LEAST_ROLE[action]}.`;
  if (role === undefined) return `You are not signed in. ${need}`;
  return role === "viewer" ? `You can look, not act. ${need}` : `You have the role ${role}. ${need}`;
}

/** What an API key may be for. `admin` opens the admin routes with the rights of the role admin, and nothing else. */
export const SCOPES = ["payments", "accounts", "events", "admin"] as const;
export type Scope = (typeof SCOPES)[number];

/** What a program may do, and the scopes of which one suffices. */
const CALL_SCOPES = {
  "payments.write": ["payments"],
  "payments.read": ["payments"],
  "accounts.write": ["accounts", "payments"],
  "accounts.read": ["accounts", "payments"],
  "events.send": ["events", "payments"],
  "operations.status": ["payments", "accounts", "admin"],
} as const satisfies Record<string, readonly Scope[]>;

export type CallAction = keyof typeof CALL_SCOPES;

export const CALL_ACTIONS = Object.keys(CALL_SCOPES) as readonly CallAction[];

/** @returns whether a key with these scopes may make this call. */
export function scopesAllow(scopes: readonly string[], action: CallAction): boolean {
  return CALL_SCOPES[action].some((scope) => scopes.includes(scope));
}

/** @returns the scopes of which one suffices, for the error's text. */
export function requiredScopes(action: CallAction): readonly Scope[] {
  return CALL_SCOPES[action];
}

/** @returns the role that a key of these scopes acts as on the admin routes, or undefined when it has none there. */
export function roleOfScopes(scopes: readonly string[]): Role | undefined {
  return scopes.includes("admin") ? "admin" : undefined;
}

export function isScope(value: string): value is Scope {
  return (SCOPES as readonly string[]).includes(value);
}

/** The dresses in which one and the same answer is given (CONTRACT, "Errors"). */
export const WIRE_PROFILES = ["problem", "playbook", "fault", "article"] as const;
export type WireProfile = (typeof WIRE_PROFILES)[number];

export function isWireProfile(value: string): value is WireProfile {
  return (WIRE_PROFILES as readonly string[]).includes(value);
}
