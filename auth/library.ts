import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { betterAuth } from "better-auth/minimal";
import { v7 as uuidv7 } from "uuid";
import type { Database } from "@/db/client";
import { operatorMaySignIn } from "@/db/queries/operator-may-sign-in";
import { operatorAccounts, operators, sessions, verifications } from "@/db/schema/operators";
import { ROLES } from "@/domain/states";
import type { Log } from "@/engine/log";

export const AUTH_PATH = "/api/auth";
/** A session ends after this, whatever its owner does. */
export const SESSION_HOURS = 8;
export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 128;
/** The library is told the caller's address by this header only, and only we write it. */
export const ADDRESS_HEADER = "x-onceboard-address";

export interface AuthOptions {
  readonly db: Database;
  /** Signs the session cookie; at least 32 characters. */
  readonly secret: string;
  /** Where browsers find us, e.g. `https://ops.example.com`; https makes the cookie Secure. */
  readonly publicUrl: string;
  readonly log?: Log | undefined;
}

/** What any part of auth/ works with. */
export interface AuthCore extends AuthOptions {
  readonly library: AuthLibrary;
}

export type AuthLibrary = ReturnType<typeof createLibrary>;

/** The login library, closed down to e-mail and password of operators that somebody made; it calls nobody. */
export function createLibrary({ db, secret, publicUrl, log }: AuthOptions) {
  return betterAuth({
    appName: "Onceboard",
    baseURL: publicUrl,
    basePath: AUTH_PATH,
    secret,
    telemetry: { enabled: false },
    // The guard of ours in front counts by e-mail and address; the library's own counts by address alone.
    rateLimit: { enabled: false },
    database: drizzleAdapter(db.orm, {
      provider: "pg",
      schema: { user: operators, session: sessions, account: operatorAccounts, verification: verifications },
    }),
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_MIN,
      maxPasswordLength: PASSWORD_MAX,
    },
    user: {
      // `input: false`: no request can say which role somebody has.
      additionalFields: { role: { type: [...ROLES], required: true, defaultValue: "viewer", input: false } },
    },
    session: {
      expiresIn: SESSION_HOURS * 3_600,
      disableSessionRefresh: true,
      cookieCache: { enabled: false },
    },
    databaseHooks: {
      session: {
        create: {
          // After the password was right, so that a disabled operator takes as long as a wrong password.
          before: async (session) => ((await operatorMaySignIn(db.pool, session.userId)) ? undefined : false),
        },
      },
    },
    advanced: {
      cookiePrefix: "onceboard",
      useSecureCookies: publicUrl.startsWith("https:"),
      defaultCookieAttributes: { sameSite: "strict", httpOnly: true, path: "/" },
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
