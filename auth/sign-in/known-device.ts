import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { basePathOf } from "@/domain/access/base-path";

/** How long a browser is known in which somebody gave their right password. */
const KNOWN_DAYS = 365;
const ID_BYTES = 16;
const NAME_LENGTH = 12;
const TOKEN = /^[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}$/;

interface DeviceKeys {
  readonly secret: string;
  readonly publicUrl: string;
}

function keyed({ secret }: Pick<DeviceKeys, "secret">, ...parts: readonly string[]): string {
  return createHmac("sha256", secret)
    .update(JSON.stringify(["known device", ...parts]))
    .digest("base64url");
}

const personOf = (email: string): string => email.trim().toLowerCase();

/** One cookie a person: the name tells nobody who that is. */
function cookieName(keys: DeviceKeys, email: string): string {
  return `onceboard.device-${keyed(keys, "name", personOf(email)).slice(0, NAME_LENGTH)}`;
}

/** @returns the cookie by which this browser is known for this person from now on; it opens nothing */
export function knownDeviceCookie(keys: DeviceKeys, email: string): string {
  const id = randomBytes(ID_BYTES).toString("base64url");
  const secure = keys.publicUrl.startsWith("https:") ? "; Secure" : "";
  const value = `${id}.${keyed(keys, "token", personOf(email), id)}`;
  const path = basePathOf(keys.publicUrl) || "/";
  return `${cookieName(keys, email)}=${value}; Path=${path}; Max-Age=${String(KNOWN_DAYS * 86_400)}; HttpOnly; SameSite=Strict${secure}`;
}

/**
 * Whether this person gave their right password in this browser before.
 * @returns a name of the browser that only we could give; undefined when it is not known for them
 */
export function knownDevice(keys: DeviceKeys, email: string, cookies: string | null): string | undefined {
  const name = `${cookieName(keys, email)}=`;
  const value =
    (cookies ?? "")
      .split(/;\s*/)
      .find((pair) => pair.startsWith(name))
      ?.slice(name.length) ?? "";
  if (!TOKEN.test(value)) return undefined;
  const [id = "", mac = ""] = value.split(".");
  const right = keyed(keys, "token", personOf(email), id);
  return timingSafeEqual(Buffer.from(mac), Buffer.from(right)) ? id : undefined;
}
