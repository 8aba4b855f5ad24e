/**
 * One code, four names: `problem` says the code itself, the other error formats say it in their own way. What is not named
 * here follows a rule, so that a new code has a name in every error format at once.
 */

/** Classes of errors, as the profile `playbook` names them. */
export const CATEGORIES = [
  "VALIDATION",
  "AUTH",
  "CONFLICT",
  "RATE_LIMIT",
  "DEPENDENCY",
  "TRANSIENT",
  "PROVIDER",
] as const;
export type Category = (typeof CATEGORIES)[number];

interface Named {
  readonly code: string;
  readonly retryable: boolean;
}

const CATEGORY_OF_CODE: Readonly<Record<string, Category>> = {
  "idempotency.key_missing": "VALIDATION",
  "idempotency.key_invalid": "VALIDATION",
  "payment.insufficient_funds": "PROVIDER",
  "payment.declined": "PROVIDER",
  "payment.duplicate_reference": "PROVIDER",
};

const PLAYBOOK_NAMES: Readonly<Record<string, string>> = {
  // The act is done already, under another key: the existing payment is named.
  "payment.duplicate_reference": "PROVIDER.duplicate",
};
const FAULT_NAMES: Readonly<Record<string, string>> = {
  "idempotency.payload_mismatch": "IDEMPOTENCY_CONFLICT",
};
const ARTICLE_NAMES: Readonly<Record<string, string>> = {
  "idempotency.payload_mismatch": "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST",
  "payment.insufficient_funds": "INSUFFICIENT_FUNDS",
};
const MESH_NAMES: Readonly<Record<string, string>> = {
  "idempotency.payload_mismatch": "IDEMPOTENCY_CONFLICT",
  "idempotency.in_progress": "IDEMPOTENCY_PROCESSING",
};

/** @returns the class that decides whether to retry: what is retryable is never VALIDATION, AUTH or CONFLICT. */
export function categoryOf({ code, retryable }: Named): Category {
  const named = CATEGORY_OF_CODE[code] ?? CATEGORIES.find((category) => category === prefixOf(code).toUpperCase());
  if (named !== undefined) return named;
  if (retryable) return "TRANSIENT";
  return code.endsWith(".not_found") ? "VALIDATION" : "CONFLICT";
}

/** @returns `VALIDATION.json`, `CONFLICT.idempotency.payload_mismatch` … */
export function playbookName(named: Named): string {
  const { code } = named;
  const category = categoryOf(named);
  const prefix = prefixOf(code);
  return (
    PLAYBOOK_NAMES[code] ?? `${category}.${prefix.toUpperCase() === category ? code.slice(prefix.length + 1) : code}`
  );
}

/** @returns `IDEMPOTENCY_CONFLICT`, `PAYMENT_NOT_FOUND` … */
export function faultName(code: string): string {
  return FAULT_NAMES[code] ?? screaming(code);
}

/** @returns `IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST`, `INSUFFICIENT_FUNDS` … */
export function articleName(code: string): string {
  return ARTICLE_NAMES[code] ?? screaming(code);
}

/** @returns `IDEMPOTENCY_CONFLICT`, `IDEMPOTENCY_PROCESSING` … */
export function meshName(code: string): string {
  return MESH_NAMES[code] ?? screaming(code);
}

function prefixOf(code: string): string {
  return code.split(".", 1)[0] ?? code;
}

function screaming(code: string): string {
  return code.replaceAll(".", "_").toUpperCase();
}

/** @returns the same members under names such as `operation_id`; what is inside a member stays as it is. */
export function snakeMembers(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [
      name.replace(/[A-Z]/g, (deadLetter) => `_${deadLetter.toLowerCase()}`),
      value,
    ]),
  );
}
