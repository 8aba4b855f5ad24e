import { AppError } from "@/domain/errors";
import { isPlain } from "@/domain/plain-text";
import { isWireProfile, WIRE_PROFILES, type WireProfile } from "@/domain/access/permission";

const CLIENT_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9 ._-]{0,98}[A-Za-z0-9])?$/;
const CONTACT_MAX = 200;

/** Whoever made a key, by page or by command line, heard the same sentence. */
export function invalidKey(detail: string): AppError {
  return new AppError("validation.api_key", 422, "This key cannot be made", { detail });
}

/** @throws AppError `validation.api_key` 422 */
export function checkClientName(name: string): string {
  if (CLIENT_NAME.test(name)) return name;
  throw invalidKey(
    "A name is 1 to 100 letters, digits, spaces, dots, dashes and underscores, with a letter or digit at both ends.",
  );
}

/**
 * @param known what a key may be for in this deployment: the scopes of its modules and our own
 * @returns the scopes in their order, each once. @throws AppError `validation.api_key` 422
 */
export function checkScopes(wanted: readonly string[], known: readonly string[]): string[] {
  const scopes = [...new Set(wanted)];
  if (scopes.length > 0 && scopes.every((scope) => known.includes(scope))) return scopes;
  throw invalidKey(`Scopes are one or more of ${known.join(", ")}.`);
}

/** @throws AppError `validation.api_key` 422 */
export function checkProfile(profile: string): WireProfile {
  if (isWireProfile(profile)) return profile;
  throw invalidKey(`A profile is one of ${WIRE_PROFILES.join(", ")}.`);
}

/** @returns null for none. @throws AppError `validation.api_key` 422 */
export function checkContact(contact: string): string | null {
  const text = contact.trim();
  if (text.length > CONTACT_MAX || !isPlain(text)) {
    throw invalidKey(`A contact is one line of at most ${String(CONTACT_MAX)} characters.`);
  }
  return text === "" ? null : text;
}

/** Keys of one client that open at the same time: enough for two rotations at once. */
export const MAX_LIVE_KEYS = 10;

/** How long the old key goes on after a rotation, when nobody chooses, and at the most. */
export const KEY_OVERLAP_HOURS = 24;

export const KEY_OVERLAP_MAX_HOURS = 720;
