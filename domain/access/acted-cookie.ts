/** Says how far the log of the database was when this browser's person last acted, while a read replica may not have that yet. */
export const ACTED_COOKIE = "ob_acted";
/** The replica's lag was measured a moment ago, and the cookie travels. */
const MARGIN_SECONDS = 10;
const POSITION = /^\d{1,20}$/;
const UNKNOWN = "unknown";

/**
 * @param position of the log in bytes; undefined when nobody could say
 * @param basePath of the deployment
 * @param options.maxLagSeconds a replica that is further behind is not read from, so the cookie need not live much longer
 * @returns the value of a `set-cookie` header
 */
export function actedCookie(
  position: bigint | undefined,
  basePath: string,
  options: { readonly maxLagSeconds: number; readonly secure: boolean },
): string {
  const maxAge = options.maxLagSeconds + MARGIN_SECONDS;
  const value = position === undefined ? UNKNOWN : String(position);
  const secure = options.secure ? "; Secure" : "";
  return `${ACTED_COOKIE}=${value}; Path=${basePath === "" ? "/" : basePath}; Max-Age=${String(maxAge)}; HttpOnly; SameSite=Lax${secure}`;
}

/** @param value of the cookie. @returns undefined when nobody acted; `unknown` for what we did not write */
export function actedPosition(value: string | undefined): bigint | "unknown" | undefined {
  if (value === undefined) return undefined;
  return POSITION.test(value) ? BigInt(value) : UNKNOWN;
}

/** @param header `cookie` of a request */
export function actedIn(header: string | undefined): bigint | "unknown" | undefined {
  for (const part of header?.split(";") ?? []) {
    const [name = "", value] = part.trim().split("=", 2);
    if (name === ACTED_COOKIE) return actedPosition(value ?? "");
  }
  return undefined;
}
