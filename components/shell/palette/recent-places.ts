const STORE_KEY = "onceboard-recent";
const KEPT = 8;

export interface RecentPlace {
  readonly href: string;
  readonly title: string;
}

/** Where this browser was last, newest first. Kept here only; an unreadable list counts as none. */
export function recentPlaces(): readonly RecentPlace[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(STORE_KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isPlace).slice(0, KEPT) : [];
  } catch {
    return [];
  }
}

/** Remembers a place; without its dialog, and each address once. */
export function rememberPlace({ href, title }: RecentPlace): void {
  const others = recentPlaces().filter((place) => place.href !== href);
  try {
    localStorage.setItem(STORE_KEY, JSON.stringify([{ href, title }, ...others].slice(0, KEPT)));
  } catch {
    // A browser that keeps nothing has no recent places.
  }
}

function isPlace(value: unknown): value is RecentPlace {
  if (typeof value !== "object" || value === null) return false;
  const { href, title } = value as Partial<Record<keyof RecentPlace, unknown>>;
  return typeof href === "string" && /^\/(?!\/)/.test(href) && typeof title === "string";
}
