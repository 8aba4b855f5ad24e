import type { ErrorEntry } from "@/engine/module/module";

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
};

const FAULT_NAMES: Readonly<Record<string, string>> = {
  "idempotency.payload_mismatch": "IDEMPOTENCY_CONFLICT",
};
const ARTICLE_NAMES: Readonly<Record<string, string>> = {
  "idempotency.payload_mismatch": "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST",
};
const MESH_NAMES: Readonly<Record<string, string>> = {
  "idempotency.payload_mismatch": "IDEMPOTENCY_CONFLICT",
  "idempotency.in_progress": "IDEMPOTENCY_PROCESSING",
};

/** What modules say of their codes: the same in every app of a process. */
const named = new Map<string, Pick<ErrorEntry, "category" | "names">>();

/** Takes up what modules say of their codes. */
export function nameErrors(errors: Readonly<Record<string, ErrorEntry>>): void {
  for (const [code, entry] of Object.entries(errors)) named.set(code, entry);
}

/** @returns the class that decides whether to retry: what is retryable is never VALIDATION, AUTH or CONFLICT. */
export function categoryOf({ code, retryable }: Named): Category {
  const byPrefix = CATEGORIES.find((category) => category === prefixOf(code).toUpperCase());
  const category = named.get(code)?.category ?? CATEGORY_OF_CODE[code] ?? byPrefix;
  if (category !== undefined) return category;
  if (retryable) return "TRANSIENT";
  return code.endsWith(".not_found") ? "VALIDATION" : "CONFLICT";
}

/** @returns `VALIDATION.json`, `CONFLICT.idempotency.payload_mismatch` … */
export function playbookName(error: Named): string {
  const { code } = error;
  const category = categoryOf(error);
  const prefix = prefixOf(code);
  return (
    named.get(code)?.names?.playbook ??
    `${category}.${prefix.toUpperCase() === category ? code.slice(prefix.length + 1) : code}`
  );
}

/** @returns `IDEMPOTENCY_CONFLICT`, `PAYMENT_NOT_FOUND` … */
export function faultName(code: string): string {
  return named.get(code)?.names?.fault ?? FAULT_NAMES[code] ?? screaming(code);
}

/** @returns `IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST`, `INSUFFICIENT_FUNDS` … */
export function articleName(code: string): string {
  return named.get(code)?.names?.article ?? ARTICLE_NAMES[code] ?? screaming(code);
}

/** @returns `IDEMPOTENCY_CONFLICT`, `IDEMPOTENCY_PROCESSING` … */
export function meshName(code: string): string {
  return named.get(code)?.names?.mesh ?? MESH_NAMES[code] ?? screaming(code);
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
