/** Of the IANA database, with its region: "Europe/Berlin". */
export type NamedZone = `${string}/${string}`;
/** In which zone a person reads times; `local` is that of the browser. */
export type Zone = "utc" | "local" | NamedZone;

/** Of a person who chose none. */
export const DEFAULT_ZONE: Zone = "utc";

/** The longest name of the IANA database has 32 characters. */
export const ZONE_MAX = 64;

const known = new Map<string, boolean>();

/** @returns whether this runtime can write times of this zone; older names of a zone count, because browsers differ in which one they use */
export function isNamedZone(text: string): text is NamedZone {
  if (!text.includes("/") || text.length > ZONE_MAX) return false;
  const before = known.get(text);
  if (before !== undefined) return before;
  const is = listed().has(text) || resolves(text);
  // Of names that are none there are endlessly many.
  if (is) known.set(text, is);
  return is;
}

export function isZone(text: string): text is Zone {
  return text === "utc" || text === "local" || isNamedZone(text);
}

/** @returns the zone that a text names, UTC for any other text */
export function readZone(text: string | null | undefined): Zone {
  return text !== null && text !== undefined && isZone(text) ? text : DEFAULT_ZONE;
}

let names: ReadonlySet<string> | undefined;

function listed(): ReadonlySet<string> {
  return (names ??= new Set(Intl.supportedValuesOf("timeZone")));
}

function resolves(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en-GB", { timeZone }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
