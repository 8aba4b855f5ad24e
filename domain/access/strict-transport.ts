/** A browser that came here over TLS comes over TLS for a year, whatever an address says (RFC 6797). */
export const STRICT_TRANSPORT = { name: "strict-transport-security", value: "max-age=31536000" } as const;

/**
 * Only where people reach the console over TLS: over http browsers ignore it, and a host that lost its certificate would be shut.
 * @param publicUrl where people reach the console, as it is configured
 */
export function wantsStrictTransport(publicUrl: string | undefined): boolean {
  return publicUrl?.startsWith("https:") === true;
}
