import { plainText } from "@/domain/plain-text";
import { AsyncLocalStorage } from "node:async_hooks";
import { genericOAuth } from "better-auth/plugins/generic-oauth";
import type { OidcConfig } from "@/domain/config";
import { CONFIRM_MINUTES } from "@/domain/access/permission";
import { ROLES, type Role } from "@/domain/idempotency/states";
import type { Log } from "@/engine/telemetry/log";
import { createIdTokenReader } from "./id-token";

export const OIDC_PROVIDER = "oidc";

/** What the issuer said of the person who is signing in, for the hooks that run meanwhile. */
export interface OidcPerson {
  /** That the ID token must name: of this sign-in and no other. */
  nonce?: string | undefined;
  subject?: string | undefined;
  /** Named by the claim: it counts at each sign-in. */
  claimed?: Role | undefined;
  /** Of an account that is made now; undefined keeps the person out. */
  initial?: Role | undefined;
  /** They became an operator by this sign-in. */
  made?: boolean | undefined;
  /** When they last showed the issuer who they are, seconds since 1970; undefined when it does not say. */
  authTime?: number | undefined;
}

/** One sign-in each, however many are under way. */
export const signingIn = new AsyncLocalStorage<OidcPerson>();

const SECONDS = 60;

/** Coming from there is no proof by itself: an open browser does that without a question. @returns when the person last gave one */
export function provedAt({ authTime }: OidcPerson): Date {
  return new Date(Math.min(Date.now(), (authTime ?? 0) * 1_000));
}

/** Longest name of a person. */
const NAME_MAX = 100;

/** The issuer as the login library asks it: discovery, code flow with PKCE, and the name and e-mail of the person only. */
export function oidcPlugin(oidc: OidcConfig, log?: Log) {
  const readIdToken = createIdTokenReader(oidc);
  return genericOAuth({
    config: [
      {
        providerId: OIDC_PROVIDER,
        discoveryUrl: `${oidc.issuer}/.well-known/openid-configuration`,
        issuer: oidc.issuer,
        clientId: oidc.clientId,
        clientSecret: oidc.clientSecret,
        scopes: ["openid", "email", "profile"],
        pkce: true,
        // The issuer asks again whom it asked longer ago, and says in the ID token when that was.
        authorizationUrlParams: { max_age: String(CONFIRM_MINUTES * SECONDS) },
        authentication: "basic",
        // The library would only decode the token.
        getUserInfo: async (tokens) => {
          const person = signingIn.getStore();
          try {
            const claims = await readIdToken(tokens, person?.nonce);
            const signedInAt = claims["auth_time"];
            if (person !== undefined) person.authTime = typeof signedInAt === "number" ? signedInAt : undefined;
            return { ...claims, id: claims.sub ?? "", emailVerified: claims["email_verified"] === true };
          } catch (error) {
            log?.warn({ part: "sign-in", err: error }, "an ID token was refused");
            return null;
          }
        },
        mapProfileToUser: (profile) => personOf(oidc, profile),
      },
    ],
  });
}

/** Anybody can claim an e-mail that the issuer did not verify, so it neither matches an operator nor creates one. */
function personOf(oidc: OidcConfig, profile: Readonly<Record<string, unknown>>) {
  const verified = profile["email_verified"] === true;
  const email = verified && typeof profile["email"] === "string" ? profile["email"] : "";
  const claimed = oidc.roleClaim === undefined ? undefined : roleIn(profile[oidc.roleClaim]);
  const person = signingIn.getStore();
  if (person !== undefined) {
    person.subject = typeof profile["sub"] === "string" ? profile["sub"] : undefined;
    person.claimed = claimed;
    const fallback = oidc.defaultRole === "none" ? undefined : oidc.defaultRole;
    person.initial = verified ? (claimed ?? fallback) : undefined;
  }
  // Of the issuer, who is not asked to choose another: it is made fit.
  const said = plainText(typeof profile["name"] === "string" ? profile["name"] : "", NAME_MAX);
  const name = said !== "" ? said : email.split("@", 1)[0];
  return { emailVerified: verified, ...(name !== undefined && name !== "" && { name }) };
}

/** A claim is one role, or a list of which the first that is a role of ours counts. */
function roleIn(claim: unknown): Role | undefined {
  const values: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  return values.flatMap((one) => ROLES.filter((role) => role === one))[0];
}
