import { shownName } from "@/domain/plain-text";
import { seeSession, type SeenSession } from "@/db/access/sessions";
import { AppError } from "@/domain/errors";
import { readGrants, type Grants } from "@/domain/access/grants";
import { CONFIRM_MINUTES } from "@/domain/access/permission";
import { readZone, type Zone } from "@/domain/time-zone";
import type { Confirmation, OperatorActor } from "@/engine/context";
import { SESSION_HOURS, type AuthCore } from "./sign-in/library";

/** A session that nobody used for this long is over. */
export const SESSION_IDLE_MINUTES = 30;

/** The person behind a request, as the database has them at this moment. */
export interface Operator extends Grants {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** In which they read times. */
  readonly zone: Zone;
  readonly sessionId: string;
  /** Signing in asks for a code too. */
  readonly twoFactor: boolean;
  readonly confirmation: Confirmation;
}

/** @returns the person as verbs know them. */
export function actorOfOperator({ id, name, role, tenants, confirmation }: Operator): OperatorActor {
  return { kind: "operator", id, name, role, tenants, confirmation };
}

/** The library says nothing of what broke; reading a session asks nobody but the database. */
export function libraryFailed(cause?: unknown): AppError {
  return new AppError("dependency.unavailable", 503, "The session could not be looked up", {
    retryable: true,
    retryAfter: 1,
    extensions: { dependency: "database" },
    cause,
  });
}

/**
 * Who is signed in? Nothing is remembered between requests: a revoked session, a disabled operator and a changed grant act on the
 * next one.
 * @param headers of the request; only its cookie is read
 * @throws AppError `dependency.unavailable` 503
 */
export async function readOperator(
  auth: Pick<AuthCore, "db" | "library">,
  headers: Headers,
): Promise<Operator | undefined> {
  if (!headers.has("cookie")) return undefined;
  const found = await auth.library.api
    .getSession({
      headers: new Headers({ cookie: headers.get("cookie") ?? "" }),
      query: { disableCookieCache: true, disableRefresh: true },
    })
    .catch((cause: unknown) => {
      throw libraryFailed(cause);
    });
  if (found === null) return undefined;
  const seen = await seeSession(auth.db.pool, found.session.id, {
    idleMinutes: SESSION_IDLE_MINUTES,
    absoluteHours: SESSION_HOURS,
    confirmMinutes: CONFIRM_MINUTES,
  });
  if (seen === undefined) return undefined;
  const { operatorId: id, email, name, sessionId, twoFactor, fresh } = seen;
  const confirmation = { fresh, by: waysToConfirm(seen) };
  const zone = readZone(seen.timeZone);
  return { id, email, name: shownName(name), ...readGrants(seen), zone, sessionId, twoFactor, confirmation };
}

function waysToConfirm({ hasPassword, twoFactor, hasOidc }: SeenSession): Confirmation["by"] {
  return [
    ...(hasPassword ? (["password"] as const) : []),
    ...(twoFactor ? (["code"] as const) : []),
    ...(hasOidc ? (["oidc"] as const) : []),
  ];
}
