import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, exportSPKI, generateKeyPair, type JWK, type JWTPayload, SignJWT } from "jose";

type Forge = (claims: JWTPayload) => Promise<string> | string;

/** An issuer that answers each code with whatever ID token a test makes; it checks nothing, so any code may come again. */
export interface ForgingIssuer {
  readonly issuer: string;
  /** What the ID token of the next sign-in is. */
  forge: Forge;
  /** As an honest issuer signs. */
  readonly honest: Forge;
  /** By a key that it does not publish, under the name of the one that it does. */
  readonly byAnotherKey: Forge;
  /** By HMAC with the text of its public key, as a verifier that lets the token choose would check it. */
  readonly byItsPublicKey: Forge;
  readonly unsigned: Forge;
  /** The way back that it sends a browser on from an address of its sign-in. */
  back(url: string): string;
  close(): Promise<void>;
}

const KEY_ID = "k1";
const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

export async function startForgingIssuer(): Promise<ForgingIssuer> {
  const [own, other] = await Promise.all([generateKeyPair("RS256", { extractable: true }), generateKeyPair("RS256")]);
  const jwk: JWK = { ...(await exportJWK(own.publicKey)), kid: KEY_ID, alg: "RS256", use: "sig" };
  const pem = await exportSPKI(own.publicKey);
  const signedBy =
    (key: CryptoKey): Forge =>
    (claims) =>
      new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: KEY_ID }).sign(key);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  let nonce = "";
  const honest = signedBy(own.privateKey);
  const result: ForgingIssuer = {
    issuer,
    forge: honest,
    honest,
    byAnotherKey: signedBy(other.privateKey),
    byItsPublicKey: (claims) => {
      const input = `${encoded({ alg: "HS256", kid: KEY_ID })}.${encoded(claims)}`;
      return `${input}.${createHmac("sha256", pem).update(input).digest("base64url")}`;
    },
    unsigned: (claims) => `${encoded({ alg: "none" })}.${encoded(claims)}.`,
    back: (url) => {
      const asked = new URL(url).searchParams;
      nonce = asked.get("nonce") ?? "";
      const way = new URL(asked.get("redirect_uri") ?? "");
      way.searchParams.set("code", "any");
      way.searchParams.set("state", asked.get("state") ?? "");
      return way.href;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
  const claims = (): JWTPayload => {
    const now = Math.floor(Date.now() / 1_000);
    const person = { sub: "subject-1", email: "ada@example.com", email_verified: true, name: "Ada" };
    return { ...person, iss: issuer, aud: "onceboard", iat: now, exp: now + 300, nonce };
  };
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    void answer(request.url ?? "").then((body) => {
      response.setHeader("content-type", "application/json").end(JSON.stringify(body));
    });
  });
  async function answer(path: string): Promise<unknown> {
    if (path.startsWith("/jwks")) return { keys: [jwk] };
    if (path.startsWith("/token"))
      return { access_token: "any", token_type: "Bearer", id_token: await result.forge(claims()) };
    const at = (name: string) => `${issuer}/${name}`;
    return { issuer, authorization_endpoint: at("auth"), token_endpoint: at("token"), jwks_uri: at("jwks") };
  }
  return result;
}
