import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { betterAuth, type BetterAuthOptions } from "better-auth/minimal";
import { twoFactor } from "better-auth/plugins/two-factor";
import { v7 as uuidv7 } from "uuid";
import type { Database } from "@/db/client";
import { grantTenants } from "@/db/access/grants";
import { operatorIsTied, operatorMaySignIn } from "@/db/access/operator-facts";
import { operatorAccounts, operators, sessions, twoFactors, verifications } from "@/db/schema/operators";
import { ROLES } from "@/domain/idempotency/states";
import { basePathOf } from "@/domain/access/base-path";
import type { OidcConfig } from "@/domain/config";
import type { Log } from "@/engine/telemetry/log";
import type { AccessLog } from "../access-log";
import { OIDC_PROVIDER, oidcPlugin, provedAt, signingIn } from "./oidc-plugin";

/** Inside the base path. */
export const AUTH_PATH = "/api/auth";
/** A session ends after this, whatever its owner does. */
export const SESSION_HOURS = 8;
const NO_TOKENS = { accessToken: null, refreshToken: null, idToken: null, scope: null };
/** Made at once when a second factor is set up; each opens once. */
const BACKUP_CODES = 10;
export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 128;
/** The library learns the caller's address from this header only, and only we write it. */
export const ADDRESS_HEADER = "x-onceboard-address";

export interface AuthOptions {
  readonly db: Database;
  /** Signs the session cookie; at least 32 characters. */
  readonly secret: string;
  /** Where browsers find us, e.g. `https://ops.example.com/onceboard`; https makes the cookie Secure, its path is that of the cookie. */
  readonly publicUrl: string;
  readonly log?: Log | undefined;
  /** Undefined: nobody signs in elsewhere. */
  readonly oidc?: OidcConfig | undefined;
}

/** What any part of auth/ works with. */
export interface AuthCore extends AuthOptions {
  readonly library: AuthLibrary;
  readonly access: AccessLog;
  /** Of the request that is answered, for the audit. */
  readonly requestId?: string | undefined;
}

export type AuthLibrary = ReturnType<typeof createLibrary>;

/** The login library, closed down to operators that somebody made or vouches for; it calls nobody but the OIDC issuer, when there is one. */
export function createLibrary(options: AuthOptions) {
  const { db, secret, publicUrl, log, oidc } = options;
  return betterAuth({
    appName: "Onceboard",
    baseURL: publicUrl + AUTH_PATH,
    basePath: AUTH_PATH,
    secret,
    telemetry: { enabled: false },
    // The guard of ours in front counts by e-mail and address; the library's own counts by address alone.
    rateLimit: { enabled: false },
    database: drizzleAdapter(db.orm, {
      provider: "pg",
      schema: {
        user: operators,
        session: sessions,
        account: operatorAccounts,
        verification: verifications,
        twoFactor: twoFactors,
      },
    }),
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_MIN,
      maxPasswordLength: PASSWORD_MAX,
    },
    user: {
      // `input: false`: no request can say which role somebody has.
      additionalFields: { role: { type: [...ROLES], required: false, input: false } },
    },
    plugins: [
      twoFactor({ issuer: "Onceboard", backupCodeOptions: { amount: BACKUP_CODES, storeBackupCodes: "encrypted" } }),
      ...(oidc === undefined ? [] : [oidcPlugin(oidc, log)]),
    ],
    // A tie to an operator of the same e-mail is made only when the provider says that it is verified (sign-in-oidc.ts).
    account: { accountLinking: { enabled: true }, updateAccountOnSignIn: true },
    session: {
      expiresIn: SESSION_HOURS * 3_600,
      disableSessionRefresh: true,
      cookieCache: { enabled: false },
      additionalFields: { confirmedAt: { type: "date", required: false, input: false } },
    },
    databaseHooks: hooksOf(db, oidc?.tenants ?? []),
    advanced: {
      cookiePrefix: "onceboard",
      useSecureCookies: publicUrl.startsWith("https:"),
      // The way back from another site must carry this one; it opens nothing by itself.
      cookies: { state: { attributes: { sameSite: "lax" } } },
      defaultCookieAttributes: { sameSite: "strict", httpOnly: true, path: basePathOf(publicUrl) || "/" },
      database: { generateId: () => uuidv7() },
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      // Ours is stricter and comes first (same-origin.ts): it also covers requests without a cookie.
      disableOriginCheck: true,
      disableCSRFCheck: true,
    },
    logger: {
      level: "error",
      // Its words are not ours, so they are a field, which is masked.
      log: (_level, message) => log?.error({ part: "sign-in", reason: message }, "the login library failed"),
    },
  });
}

/** What the library may write, and for whom. */
function hooksOf(db: Database, tenantIds: readonly string[]) {
  return {
    user: {
      create: {
        // Nobody is made here but by the OIDC issuer's word, in the role that the deployment gives.
        before: (user) => {
          const person = signingIn.getStore();
          if (person?.initial === undefined) return Promise.resolve(false);
          person.made = true;
          const role = tenantIds.length === 0 ? person.initial : null;
          return Promise.resolve({ data: { ...user, role } });
        },
        // A sign-in that breaks off here leaves somebody who sees no tenant.
        after: async (user) => {
          const role = signingIn.getStore()?.initial;
          if (role !== undefined) await grantTenants(db.pool, { operatorId: user.id, tenantIds, role });
        },
      },
    },
    account: {
      create: {
        // Nothing of the issuer's is kept but who it is. An e-mail that it gives to a second person brings them nothing.
        before: async (account) => {
          const taken = account.providerId === OIDC_PROVIDER && (await operatorIsTied(db.pool, account.userId));
          return taken ? false : { data: { ...account, ...NO_TOKENS } };
        },
      },
      update: {
        // Runs at each later sign-in there.
        before: (account) => Promise.resolve({ data: { ...account, ...NO_TOKENS } }),
      },
    },
    session: {
      create: {
        // After the password was right, so that a disabled operator takes as long as a wrong password.
        before: async (session) => {
          if (!(await operatorMaySignIn(db.pool, session.userId))) return false;
          const person = signingIn.getStore();
          return person === undefined ? undefined : { data: { ...session, confirmedAt: provedAt(person) } };
        },
      },
    },
  } satisfies BetterAuthOptions["databaseHooks"];
}
