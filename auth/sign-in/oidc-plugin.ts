import { plainText } from "@/domain/plain-text";
import { AsyncLocalStorage } from "node:async_hooks";
import { genericOAuth } from "better-auth/plugins/generic-oauth";
import type { OidcConfig } from "@/domain/config";
import { CONFIRM_MINUTES } from "@/domain/access/permission";
import { ROLES, type Role } from "@/domain/idempotency/states";

export const OIDC_PROVIDER = "oidc";

/** What the issuer said of the person who is signing in, for the hooks that run meanwhile. */
export interface OidcPerson {
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

/** Notes what the ID token says of when the person signed in there; it came from the issuer itself, so nothing else is checked. */
export function signedInThereAt(idToken: unknown): void {
  const person = signingIn.getStore();
  const [, claims] = typeof idToken === "string" ? idToken.split(".") : [];
  if (person === undefined || claims === undefined) return;
  const token = JSON.parse(Buffer.from(claims, "base64url").toString("utf8")) as { readonly auth_time?: unknown };
  person.authTime = typeof token.auth_time === "number" ? token.auth_time : undefined;
}

/** Coming from there is no proof by itself: an open browser does that without a question. @returns when the person last gave one */
export function provedAt({ authTime }: OidcPerson): Date {
  return new Date(Math.min(Date.now(), (authTime ?? 0) * 1_000));
}

/** Longest name of a person. */
const NAME_MAX = 100;

/** The issuer as the login library asks it: discovery, code flow with PKCE, and the name and e-mail of the person only. */
export function oidcPlugin(oidc: OidcConfig) {
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
