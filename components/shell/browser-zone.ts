import { COOKIE_PATH } from "@/components/ui/base-path";
import { isNamedZone, type NamedZone } from "@/domain/time-zone";

export type ShownZone = "utc" | NamedZone;

/** Says the zone of the browser, so that the server writes local times right at the first paint. */
export const BROWSER_ZONE_COOKIE = "ob_browser_zone";

const KEPT_SECONDS = 365 * 24 * 3_600;

/** @param name as browser or cookie has it; undefined for what is no zone */
export function shownZone(name: string | undefined): ShownZone | undefined {
  if (name === undefined) return undefined;
  if (isNamedZone(name)) return name;
  return name === "UTC" || name === "utc" ? "utc" : undefined;
}

/** The zone that the browser's clock shows. */
export function readBrowserZone(): ShownZone {
  return shownZone(Intl.DateTimeFormat().resolvedOptions().timeZone) ?? "utc";
}

/** Says it with every later request. */
export function keepBrowserZone(): void {
  const said = `${BROWSER_ZONE_COOKIE}=${encodeURIComponent(readBrowserZone())}`;
  if (document.cookie.split("; ").includes(said)) return;
  const secure = window.location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `${said}; Path=${COOKIE_PATH}; Max-Age=${String(KEPT_SECONDS)}; SameSite=Lax${secure}`;
}
