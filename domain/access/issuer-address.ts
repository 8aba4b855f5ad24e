/** This machine, as URLs name it. */
const LOOPBACK_HOSTS: readonly string[] = ["127.0.0.1", "[::1]", "localhost"];

export const ISSUER_ADDRESS_WORDS =
  "OIDC_ISSUER must begin with https://; only OIDC_ALLOW_LOOPBACK_HTTP=true lets it be http:// at 127.0.0.1, [::1] or localhost";

/**
 * Without TLS whoever is on the way to the issuer could be the issuer.
 * @param loopbackHttp plain http is taken on this machine: for development
 */
export function isIssuerAddress(issuer: string | undefined, loopbackHttp: boolean): boolean {
  if (issuer === undefined) return true;
  const { protocol, hostname } = new URL(issuer);
  return protocol === "https:" || (loopbackHttp && LOOPBACK_HOSTS.includes(hostname));
}
