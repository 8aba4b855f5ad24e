import { AsyncLocalStorage } from "node:async_hooks";
import { genericOAuth } from "better-auth/plugins/generic-oauth";
import type { OidcConfig } from "@/domain/config";
import { ROLES, type Role } from "@/domain/states";

export const OIDC_PROVIDER = "oidc";

/** What the issuer said of the person who is signing in, for the hooks that run meanwhile. */
export interface OidcPerson {
  subject?: string | undefined;
  /** Named by the claim: it counts at each sign-in. */
  claimed?: Role | undefined;
  /** Of an account that is made now; undefined keeps the person out. */
  initial?: Role | undefined;
}

/** One sign-in each, however many are under way. */
export const signingIn = new AsyncLocalStorage<OidcPerson>();

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
        authentication: "basic",
        mapProfileToUser: (profile) => personOf(oidc, profile),
      },
    ],
  });
}

/** An e-mail that the issuer did not verify could be anybody's, so it ties to nobody and makes nobody. */
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
  const name = typeof profile["name"] === "string" && profile["name"] !== "" ? profile["name"] : email.split("@", 1)[0];
  return { emailVerified: verified, ...(name !== undefined && name !== "" && { name }) };
}

/** A claim is one role, or a list of which the first that is a role of ours counts. */
function roleIn(claim: unknown): Role | undefined {
  const said: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  return said.flatMap((one) => ROLES.filter((role) => role === one))[0];
}
