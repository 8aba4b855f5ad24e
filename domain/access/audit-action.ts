import { actionLabel, ACTIONS, type Action } from "./permission";

/** What leaves an entry without being a permission: it is done before anybody is known, or on the command line. */
const OTHERS = {
  "sessions.sign_in": "Signing in",
  "sessions.sign_in_refused": "A sign-in that was refused",
  "sessions.sign_out": "Signing out",
  "operators.join": "Joining by a link",
  "operators.create": "Adding a person",
  "operators.change": "Changing a person",
  "body_keys.destroyed": "Destroying keys of bodies",
  "database.restored": "Restoring the database",
  "tenant.moved": "Moving the tenant to another region",
  "seed.fill": "Filling with a made-up history",
} as const;

const EXPORT = "exports.";

/** What an entry of the audit may be about. */
export type AuditAction = Action | keyof typeof OTHERS | `${typeof EXPORT}${string}`;

const isPermission = (action: string): action is Action => (ACTIONS as readonly string[]).includes(action);

/** @returns the action in words, the same as on the page of permissions; of one that is not written any more its name. */
export function auditLabel(action: string): string {
  if (isPermission(action)) return actionLabel(action);
  if (action.startsWith(EXPORT)) return `Exporting: ${action.slice(EXPORT.length).replaceAll("_", " ")}`;
  return (OTHERS as Readonly<Record<string, string>>)[action] ?? action;
}

/** @returns several actions as one phrase: "Making a plan, requeue in the outbox". */
export function auditLabels(actions: readonly string[]): string {
  return actions
    .map(auditLabel)
    .map((label, index) => (index === 0 ? label : label.replace(/^[A-Z]/, (first) => first.toLowerCase())))
    .join(", ");
}
