import { UUID } from "@/domain/uuid";

/** Words of a provider's event that SQL reads. */
const PROVIDER_WORDS: ReadonlySet<unknown> = new Set(["succeeded", "declined", "failed", "processing", "pending"]);
const MAX_PROVIDER_KEY_LENGTH = 255;

/** @returns a member of an object by its path, or undefined where there is none. */
export function memberOf(value: unknown, ...path: readonly string[]): unknown {
  let current = value;
  for (const name of path) {
    if (typeof current !== "object" || current === null || Array.isArray(current)) return undefined;
    current = Object.hasOwn(current, name) ? (current as Readonly<Record<string, unknown>>)[name] : undefined;
  }
  return current;
}

/** @returns the operation that an event is about: our own events name it, a provider gives our metadata back. */
export function operationIdOf(payload: unknown): string | undefined {
  for (const found of [
    memberOf(payload, "data", "operationId"),
    memberOf(payload, "data", "metadata", "operationId"),
  ]) {
    if (typeof found === "string" && UUID.test(found)) return found.toLowerCase();
  }
  return undefined;
}

/** What proofs, evidence and lists read of a provider's event by SQL: the key that only a provider names, and its one word. */
export function providerSays(payload: unknown): { readonly providerKey?: string; readonly providerStatus?: string } {
  const providerKey = memberOf(payload, "data", "providerKey");
  if (typeof providerKey !== "string" || providerKey.length > MAX_PROVIDER_KEY_LENGTH) return {};
  const status = memberOf(payload, "data", "status");
  return PROVIDER_WORDS.has(status) ? { providerKey, providerStatus: status as string } : { providerKey };
}
