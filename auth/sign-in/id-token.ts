import { createRemoteJWKSet, jwtVerify, type JWTPayload } from "jose";
import { z } from "zod";
import type { OidcConfig } from "@/domain/config";

/** Signatures by a key pair only: with `none` or HS* whoever knows a public key could sign (RFC 8725, 3.1). */
export const ID_TOKEN_ALGORITHMS = [
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
  ...["ES256", "ES384", "ES512", "EdDSA", "Ed25519"],
];
/** How far the issuer's clock may be from ours. */
const CLOCK_TOLERANCE_SECONDS = 60;
/** A token of a sign-in that ends now was made just now, whatever end it names. */
const MAX_AGE_SECONDS = 600;
const ISSUER_TIMEOUT_MS = 5_000;
/** Another key of the issuer is learnt at the latest after this; one that is unknown is looked for at once. */
const DISCOVERY_AGE_MS = 10 * 60_000;

/** What we use of OpenID Connect Discovery 1.0, section 3. */
const discoveryDocument = z.object({
  issuer: z.string(),
  jwks_uri: z.url(),
  token_endpoint: z.url(),
  userinfo_endpoint: z.url().optional(),
});

interface Issuer {
  /** As tokens must name it. */
  readonly name: string;
  readonly keys: ReturnType<typeof createRemoteJWKSet>;
  readonly userInfo: string | undefined;
}

export interface IssuerTokens {
  readonly idToken?: string | undefined;
  readonly accessToken?: string | undefined;
}

/**
 * Reads who signed in from the ID token of an issuer, after checking it as OpenID Connect Core 1.0, 3.1.3.7 asks: the signature by a key
 * that the issuer publishes, `iss`, `aud` and `azp`, `exp`, `iat`, the nonce of this sign-in, and the algorithm.
 * @returns per issuer: what `tokens` say, with the user info where the ID token has no e-mail
 */
export function createIdTokenReader(oidc: Pick<OidcConfig, "issuer" | "clientId">) {
  let known: { readonly issuer: Issuer; readonly until: number } | undefined;

  async function issuerNow(): Promise<Issuer> {
    if (known === undefined || known.until < performance.now())
      known = { issuer: await discover(oidc.issuer), until: performance.now() + DISCOVERY_AGE_MS };
    return known.issuer;
  }

  /** @throws Error when the token is refused, or the issuer does not answer; the message is for the process's log */
  return async function readIdToken(tokens: IssuerTokens, nonce: string | undefined): Promise<JWTPayload> {
    if (nonce === undefined) throw new Error("no sign-in is under way");
    if (tokens.idToken === undefined) throw new Error("the issuer sent no ID token");
    const issuer = await issuerNow();
    const { payload } = await jwtVerify(tokens.idToken, issuer.keys, {
      algorithms: ID_TOKEN_ALGORITHMS,
      issuer: issuer.name,
      audience: oidc.clientId,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      maxTokenAge: MAX_AGE_SECONDS,
      requiredClaims: ["sub", "exp", "iat", "nonce"],
    });
    if (payload["nonce"] !== nonce) throw new Error("the nonce is not that of this sign-in");
    requireAuthorizedParty(payload, oidc.clientId);
    return typeof payload["email"] === "string" ? payload : withUserInfo(issuer, tokens, payload);
  };
}

/** A token for several audiences names the one that it was made for. */
function requireAuthorizedParty({ aud, azp }: JWTPayload, clientId: string): void {
  const several = Array.isArray(aud) && aud.length > 1;
  if ((azp === undefined && several) || (azp !== undefined && azp !== clientId))
    throw new Error("the token was made for another client");
}

async function discover(issuer: string): Promise<Issuer> {
  const document = discoveryDocument.parse(await getJson(`${issuer}/.well-known/openid-configuration`));
  // Some issuers end in a slash, which the setting leaves out.
  if (document.issuer.replace(/\/+$/, "") !== issuer) throw new Error("the discovery document is of another issuer");
  const addresses = [document.jwks_uri, document.token_endpoint, document.userinfo_endpoint ?? document.jwks_uri];
  if (issuer.startsWith("https:") && !addresses.every((address) => address.startsWith("https:")))
    throw new Error("the discovery document names an address without TLS");
  const keys = createRemoteJWKSet(new URL(document.jwks_uri), { timeoutDuration: ISSUER_TIMEOUT_MS });
  return { name: document.issuer, keys, userInfo: document.userinfo_endpoint };
}

/** What it says counts only of the person of the token (Core 1.0, 5.3.2). */
async function withUserInfo(issuer: Issuer, { accessToken }: IssuerTokens, token: JWTPayload): Promise<JWTPayload> {
  if (issuer.userInfo === undefined || accessToken === undefined) return token;
  const said = z
    .looseObject({ sub: z.string() })
    .parse(await getJson(issuer.userInfo, { authorization: `Bearer ${accessToken}` }));
  if (said.sub !== token.sub) throw new Error("the user info is of another person");
  return { ...said, ...token };
}

async function getJson(url: string, headers: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const answer = await fetch(url, { headers, redirect: "error", signal: AbortSignal.timeout(ISSUER_TIMEOUT_MS) });
  if (!answer.ok) throw new Error(`the issuer answered ${String(answer.status)}`);
  return answer.json();
}
