const PATTERN = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";

/** A whole text that is a UUID of any version, in either case. */
export const UUID = new RegExp(`^${PATTERN}$`, "i");
export const UUID_INSIDE = new RegExp(PATTERN, "i");
/** Every UUID in a text; for `match`, `matchAll` and `replace` only, because `test` and `exec` would remember where they were. */
export const UUIDS = new RegExp(PATTERN, "gi");
