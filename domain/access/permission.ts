import { ROLES, type Role } from "../idempotency/states";

/** Everybody who may sign in. */
const ALL = ROLES;
const ACTS = ["operator", "admin"] as const;
/** Who looks closer than a page: to act on it, or to judge what another asks for. */
const JUDGES = ["operator", "approver", "admin"] as const;
const ADMIN = ["admin"] as const;

/**
 * One thing that a person may do in the console: the roles that may, and the first words of the sentence that says why not.
 * @param confirmed a person must have proved within CONFIRM_MINUTES who they are: what deletes for good, decides about money by
 *   a person's word or where its events go, or hands out access
 */
const rule = (roles: readonly [Role, ...Role[]], label: string, confirmed = false) => ({
  roles,
  label,
  confirmed,
  everywhere: false,
});

/** The same for what is of no one tenant: the role on all tenants counts, that of the tenant that is looked at does not. */
const onAll = (...[roles, label, confirmed]: Parameters<typeof rule>) => ({
  ...rule(roles, label, confirmed),
  everywhere: true,
});

/**
 * The one policy source. Sets, not a rank: an operator acts but approves nothing, an approver decides but does not act, an
 * auditor reads all that is no body and exports it, an admin may do everything. The first role of a set is the one that a
 * refusal names. The list is closed: what is not here is not allowed.
 */
const RULES = {
  "operations.read": rule(ALL, "Reading operations"),
  "conflicts.read": rule(ALL, "Reading conflicts"),
  "outbox.read": rule(ALL, "Reading the outbox"),
  "inbox.read": rule(ALL, "Reading the inbox"),
  "dead_letters.read": rule(ALL, "Reading dead letters"),
  "plans.read": rule(ALL, "Reading plans"),
  "approvals.read": rule(ALL, "Reading approvals"),
  "metrics.read": rule(ALL, "Reading metrics"),
  "invariants.read": rule(ALL, "Reading invariants"),
  "retention.read": rule(ALL, "Reading retention"),
  "policies.read": rule(ALL, "Reading policies"),
  "clients.read": rule(ALL, "Reading clients"),
  "audit.read": rule(ALL, "Reading the audit"),
  "settings.read": rule(ALL, "Reading settings"),
  "webhook_endpoints.read": rule(ALL, "Reading webhook endpoints"),
  "alerts.read": rule(ALL, "Reading alerts"),
  "attachments.read": rule(ALL, "Reading attached databases"),
  "permissions.read": rule(ALL, "Reading permissions"),
  "sessions.read_own": rule(ALL, "Reading your sessions"),
  "sessions.revoke_own": rule(ALL, "Ending your sessions"),
  "time_zone.change_own": rule(ALL, "Choosing your time zone"),
  "two_factor.change_own": rule(ALL, "Changing your second factor"),
  "audit.verify": rule(["auditor", "operator", "approver", "admin"], "Verifying the audit chain"),
  "audit.export": rule(["auditor", "admin"], "Exporting the audit", true),
  "access_log.read": onAll(["auditor", "admin"], "Reading the access log"),
  "retention.preview": rule(["operator", "approver", "auditor", "admin"], "Previewing a purge"),
  "bodies.reveal": rule(JUDGES, "Reveal a body", true),
  "views.write": rule(ACTS, "Saving a view"),
  "views.write_others": rule(ADMIN, "Changing a view of somebody else"),
  "invariants.run": rule(ACTS, "Running an invariant check"),
  "conflicts.mark": rule(ACTS, "Marking conflicts"),
  "deploys.report": rule(ACTS, "Reporting a deploy"),
  "operations.reconcile": rule(ACTS, "Reconcile"),
  "operations.resolve": rule(ACTS, "Resolve", true),
  "operations.release": rule(ACTS, "Release"),
  "operations.withdraw_request": rule(ACTS, "Withdraw a request"),
  "operations.assign": rule(ACTS, "Taking an operation"),
  "operations.purge_body": rule(ACTS, "Purge a body", true),
  "outbox.requeue": rule(ACTS, "Requeue in the outbox"),
  "inbox.requeue": rule(ACTS, "Requeue in the inbox"),
  "outbox.republish": rule(ACTS, "Publish again"),
  "topics.pause": rule(ACTS, "Pausing a topic"),
  "topics.resume": rule(ACTS, "Resuming a topic"),
  "topics.route": rule(ADMIN, "Changing the route of a topic", true),
  "outbox.discard": rule(ACTS, "Discard in the outbox", true),
  "inbox.discard": rule(ACTS, "Discard in the inbox", true),
  "outbox.correct": rule(ACTS, "Edit and requeue", true),
  "plans.create": rule(ACTS, "Making a plan"),
  "plans.start": rule(ACTS, "Starting a plan"),
  "plans.abort": rule(ACTS, "Aborting a plan"),
  "plans.ask": rule(JUDGES, "Asking the provider about a plan"),
  "plans.decide": rule(["approver", "admin"], "Approving or rejecting a plan"),
  "retention.run": rule(ADMIN, "Purge expired bodies", true),
  "policies.write": rule(ADMIN, "Changing a policy", true),
  "webhook_endpoints.create": rule(ADMIN, "Making a webhook endpoint", true),
  "webhook_endpoints.change": rule(ADMIN, "Changing a webhook endpoint", true),
  "webhook_endpoints.disable": rule(ADMIN, "Disabling a webhook endpoint"),
  "webhook_endpoints.enable": rule(ADMIN, "Enabling a webhook endpoint"),
  "webhook_endpoints.test": rule(ADMIN, "Testing a webhook endpoint"),
  "webhook_endpoints.rotate_secret": rule(ADMIN, "Rotating a webhook secret", true),
  "event_sources.add_secret": rule(ADMIN, "Adding a secret to an event source", true),
  "event_sources.expire_secret": rule(ADMIN, "Ending a secret of an event source"),
  "webhook_endpoints.delete": rule(ADMIN, "Deleting a webhook endpoint", true),
  "alert_destinations.create": rule(ADMIN, "Adding a destination of alerts", true),
  "alert_destinations.test": rule(ADMIN, "Sending a test alert"),
  "alert_destinations.delete": rule(ADMIN, "Deleting a destination of alerts", true),
  "alert_rules.change": rule(ADMIN, "Changing what is alerted", true),
  "attachments.create": rule(ADMIN, "Attaching a database", true),
  "attachments.remove": rule(ADMIN, "Removing an attached database", true),
  "attached.requeue": rule(ACTS, "Requeue in an attached database"),
  "attached.discard": rule(ACTS, "Discard in an attached database", true),
  "attached.purge": rule(ADMIN, "Purge in an attached database", true),
  "clients.manage": rule(ADMIN, "Managing clients", true),
  "operators.read": onAll(ADMIN, "Reading people and their sessions"),
  "operators.invite": onAll(ADMIN, "Inviting a person", true),
  "operators.change_role": onAll(ADMIN, "Changing a role", true),
  "operators.disable": onAll(ADMIN, "Disabling an operator", true),
  "operators.enable": onAll(ADMIN, "Enabling an operator", true),
  "operators.end_sessions": onAll(ADMIN, "Ending another's sessions", true),
  "operators.reset_two_factor": onAll(ADMIN, "Resetting a second factor", true),
} as const;

export type Action = keyof typeof RULES;

export const ACTIONS = Object.keys(RULES) as readonly Action[];

/** @returns whether somebody of this role may do it; false without a role. */
export function can(role: Role | undefined, action: Action): boolean {
  return role !== undefined && rolesOf(action).includes(role);
}

/** @returns every role that may do it, the one that a refusal names first. */
export function rolesOf(action: Action): readonly Role[] {
  return RULES[action].roles;
}

/** @returns the role to ask for: the one with the fewest rights besides that may do it. */
export function requiredRole(action: Action): Role {
  return RULES[action].roles[0];
}

/** @returns whether it takes the role on all tenants: people, their sessions and the access log are of no one tenant. */
export function needsAllTenants(action: Action): boolean {
  return RULES[action].everywhere;
}

/** @returns the action's name as a sentence begins with it. */
export function actionLabel(action: Action): string {
  return RULES[action].label;
}

/** A person who signed in or confirmed longer ago than this is asked again before {@link needsConfirmation} actions. */
export const CONFIRM_MINUTES = 10;

/** @returns whether a person must have proved within {@link CONFIRM_MINUTES} who they are. */
export function needsConfirmation(action: Action): boolean {
  return RULES[action].confirmed;
}

const ONLY_LOOK: readonly Role[] = ["viewer", "auditor"];

/** @returns the sentence beside a disabled control, or undefined when it is allowed. @param role the one that counts for the action */
export function whyNot(role: Role | undefined, action: Action): string | undefined {
  if (can(role, action)) return undefined;
  // Both sides need the same, and a plan may be of both.
  const what = RULES[action].label.replace(/ in the (?:in|out)box$/, "");
  const need = `${what} needs the role ${requiredRole(action)}${needsAllTenants(action) ? " on all tenants" : ""}.`;
  // It is asked of nobody who is not signed in.
  if (needsAllTenants(action)) return role === undefined ? need : `On all tenants you have the role ${role}. ${need}`;
  if (role === undefined) return `You are not signed in. ${need}`;
  // Of somebody who may not even look it would be no help.
  const looks = ONLY_LOOK.includes(role) && !action.endsWith(".read");
  return looks ? `You can look, not act. ${need}` : `You have the role ${role}. ${need}`;
}

/** What an API key may be for besides the scopes that modules name. `admin` opens the admin routes with the rights of the role admin, and nothing else. */
export const OWN_SCOPES = ["events", "admin"] as const;

/** @returns whether a key of these scopes has one of those that a call asks for. */
export function scopesAllow(scopes: readonly string[], needed: readonly string[]): boolean {
  return needed.some((scope) => scopes.includes(scope));
}

/** @returns the role that a key of these scopes acts as on the admin routes, or undefined when it has none there. */
export function roleOfScopes(scopes: readonly string[]): Role | undefined {
  return scopes.includes("admin") ? "admin" : undefined;
}

/** The formats in which one and the same refusal is written; an API key chooses one. */
export const WIRE_PROFILES = ["problem", "playbook", "fault", "article"] as const;
export type WireProfile = (typeof WIRE_PROFILES)[number];

export function isWireProfile(value: string): value is WireProfile {
  return (WIRE_PROFILES as readonly string[]).includes(value);
}
