import { ROLES, type Role } from "../idempotency/states";

/** Everybody who may sign in. */
const ALL = ROLES;
const ACTS = ["operator", "admin"] as const;
/** Who looks closer than a page: to act on it, or to judge what another asks for. */
const JUDGES = ["operator", "approver", "admin"] as const;
const ADMIN = ["admin"] as const;

/**
 * What a person may do in the console, and the roles that may: the one policy source. Sets, not a rank: an operator
 * acts but approves nothing, an approver decides but does not act, an auditor reads all that is no body and takes it along,
 * an admin may all. The first role of a set is the one that a refusal names. The list is closed: what is not here is not
 * allowed.
 */
const ROLES_OF = {
  "operations.read": ALL,
  "conflicts.read": ALL,
  "outbox.read": ALL,
  "inbox.read": ALL,
  "dead_letters.read": ALL,
  "plans.read": ALL,
  "approvals.read": ALL,
  "metrics.read": ALL,
  "invariants.read": ALL,
  "retention.read": ALL,
  "policies.read": ALL,
  "clients.read": ALL,
  "audit.read": ALL,
  "settings.read": ALL,
  "webhook_endpoints.read": ALL,
  "permissions.read": ALL,
  "sessions.read_own": ALL,
  "sessions.revoke_own": ALL,
  "two_factor.change_own": ALL,
  "audit.verify": ["auditor", "operator", "approver", "admin"],
  "audit.export": ["auditor", "admin"],
  "access_log.read": ["auditor", "admin"],
  "retention.preview": ["operator", "approver", "auditor", "admin"],
  "bodies.reveal": JUDGES,
  "views.write": ACTS,
  "views.write_others": ADMIN,
  "invariants.run": ACTS,
  "conflicts.mark": ACTS,
  "operations.reconcile": ACTS,
  "operations.resolve": ACTS,
  "operations.release": ACTS,
  "operations.assign": ACTS,
  "operations.purge_body": ACTS,
  "outbox.requeue": ACTS,
  "inbox.requeue": ACTS,
  "topics.pause": ACTS,
  "topics.resume": ACTS,
  "topics.route": ADMIN,
  "outbox.discard": ACTS,
  "inbox.discard": ACTS,
  "plans.create": ACTS,
  "plans.start": ACTS,
  "plans.abort": ACTS,
  "plans.decide": ["approver", "admin"],
  "retention.run": ADMIN,
  "policies.write": ADMIN,
  "webhook_endpoints.create": ADMIN,
  "webhook_endpoints.change": ADMIN,
  "webhook_endpoints.disable": ADMIN,
  "webhook_endpoints.enable": ADMIN,
  "webhook_endpoints.rotate_secret": ADMIN,
  "event_sources.add_secret": ADMIN,
  "event_sources.expire_secret": ADMIN,
  "webhook_endpoints.delete": ADMIN,
  "clients.manage": ADMIN,
  "operators.read": ADMIN,
  "operators.invite": ADMIN,
  "operators.change_role": ADMIN,
  "operators.disable": ADMIN,
  "operators.enable": ADMIN,
  "operators.end_sessions": ADMIN,
  "operators.reset_two_factor": ADMIN,
} as const satisfies Record<string, readonly [Role, ...Role[]]>;

export type Action = keyof typeof ROLES_OF;

export const ACTIONS = Object.keys(ROLES_OF) as readonly Action[];

/** The first words of the sentence that says why not. */
const ACTION_LABEL: Record<Action, string> = {
  "operations.read": "Reading operations",
  "conflicts.read": "Reading conflicts",
  "outbox.read": "Reading the outbox",
  "inbox.read": "Reading the inbox",
  "dead_letters.read": "Reading dead letters",
  "plans.read": "Reading plans",
  "approvals.read": "Reading approvals",
  "metrics.read": "Reading metrics",
  "invariants.read": "Reading invariants",
  "retention.read": "Reading retention",
  "policies.read": "Reading policies",
  "clients.read": "Reading clients",
  "audit.read": "Reading the audit",
  "settings.read": "Reading settings",
  "webhook_endpoints.read": "Reading webhook endpoints",
  "permissions.read": "Reading permissions",
  "sessions.read_own": "Reading your sessions",
  "sessions.revoke_own": "Ending your sessions",
  "two_factor.change_own": "Changing your second factor",
  "audit.verify": "Verifying the audit chain",
  "audit.export": "Exporting the audit",
  "access_log.read": "Reading the access log",
  "views.write": "Saving a view",
  "views.write_others": "Changing a view of somebody else",
  "invariants.run": "Running an invariant check",
  "conflicts.mark": "Marking conflicts",
  "bodies.reveal": "Reveal a body",
  "operations.reconcile": "Reconcile",
  "operations.resolve": "Resolve",
  "operations.release": "Release",
  "operations.assign": "Taking an operation",
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
  "event_sources.expire_secret": "Ending a secret of an event source",
  "webhook_endpoints.delete": "Deleting a webhook endpoint",
  "clients.manage": "Managing clients",
  "operators.read": "Reading people and their sessions",
  "operators.invite": "Inviting somebody",
  "operators.change_role": "Changing a role",
  "operators.disable": "Disabling an operator",
  "operators.enable": "Enabling an operator",
  "operators.end_sessions": "Ending another's sessions",
  "operators.reset_two_factor": "Taking a second factor off",
};

/** @returns whether somebody of this role may do it; false without a role. */
export function can(role: Role | undefined, action: Action): boolean {
  return role !== undefined && rolesOf(action).includes(role);
}

/** @returns every role that may do it, the one that a refusal names first. */
export function rolesOf(action: Action): readonly Role[] {
  return ROLES_OF[action];
}

/** @returns the role to ask for: the one with the fewest rights besides that may do it. */
export function requiredRole(action: Action): Role {
  return ROLES_OF[action][0];
}

/** @returns the action's name as a sentence begins with it. */
export function actionLabel(action: Action): string {
  return ACTION_LABEL[action];
}

/** A person who signed in or confirmed longer ago than this is asked again before {@link needsConfirmation} actions. */
export const CONFIRM_MINUTES = 10;

/** What deletes for good, decides about money by a person's word or where its events go, or hands out access. */
const CONFIRMED: readonly Action[] = [
  "operations.resolve",
  "operations.purge_body",
  "retention.run",
  "clients.manage",
  "event_sources.add_secret",
  "webhook_endpoints.create",
  "webhook_endpoints.change",
  "webhook_endpoints.rotate_secret",
  "operators.invite",
  "operators.change_role",
  "operators.disable",
  "operators.enable",
  "operators.end_sessions",
  "operators.reset_two_factor",
];

/** @returns whether a person must have proved within {@link CONFIRM_MINUTES} who they are. */
export function needsConfirmation(action: Action): boolean {
  return CONFIRMED.includes(action);
}

const ONLY_LOOK: readonly Role[] = ["viewer", "auditor"];

/** @returns the sentence beside a disabled control, or undefined when it is allowed. */
export function whyNot(role: Role | undefined, action: Action): string | undefined {
  if (can(role, action)) return undefined;
  const need = `${ACTION_LABEL[action]} needs the role ${requiredRole(action)}.`;
  if (role === undefined) return `You are not signed in. ${need}`;
  // Of somebody who may not even look it would be no help.
  const looks = ONLY_LOOK.includes(role) && !action.endsWith(".read");
  return looks ? `You can look, not act. ${need}` : `You have the role ${role}. ${need}`;
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
  "events.send": ["events"],
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

/** The formats in which one and the same refusal is written; an API key chooses one. */
export const WIRE_PROFILES = ["problem", "playbook", "fault", "article"] as const;
export type WireProfile = (typeof WIRE_PROFILES)[number];

export function isWireProfile(value: string): value is WireProfile {
  return (WIRE_PROFILES as readonly string[]).includes(value);
}
