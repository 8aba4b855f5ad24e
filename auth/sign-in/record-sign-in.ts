import { createHmac } from "node:crypto";
import { countSignIn } from "@/db/access/count-sign-in";
import { operatorFacts } from "@/db/access/operator-facts";
import { deviceName } from "@/domain/access/device-name";
import type { Actor } from "@/engine/context";
import { shownAddress } from "../address";
import type { AuthCore } from "./library";
import { actorOfOperator, readOperator } from "../operator-session";
import { SIGN_IN_WINDOW_SECONDS } from "./sign-in-limit";

/** How somebody proved who they are. */
export type SignInMethod = "password" | "password and code" | "password and backup code" | "single sign-on";

/** The refusals of one person in a window that are recorded: the first, the one after which an address must wait, then each tenth power of them. */
export const RECORDED_REFUSALS: readonly number[] = [1, 5, 50, 500, 5_000];

/** Nobody is signed in who could be named. */
const DOOR: Actor = { kind: "system", id: "sign-in", name: "sign-in" };

export interface Visit {
  readonly request: Request;
  readonly address: string | undefined;
}

/**
 * Tells the access log of a sign-in that just opened a session.
 * @param answer with the session's cookie
 * @param madeBy who made the operator by this sign-in; undefined: somebody who was one before
 */
export async function recordSignIn(
  auth: AuthCore,
  visit: Visit,
  answer: Headers,
  method: SignInMethod,
  madeBy?: Actor,
): Promise<void> {
  const cookie = answer
    .getSetCookie()
    .map((line) => line.split(";", 1)[0])
    .join("; ");
  const operator = await readOperator(auth, new Headers({ cookie })).catch(() => undefined);
  if (operator === undefined) return;
  const { id, email, role, tenants } = operator;
  const { requestId } = auth;
  if (madeBy !== undefined) {
    auth.access.later(() =>
      Promise.resolve({
        actor: madeBy,
        action: "operators.create",
        operatorId: id,
        requestId,
        after: { email, role, tenants },
      }),
    );
  }
  await auth.access.record({
    actor: actorOfOperator(operator),
    action: "sessions.sign_in",
    operatorId: id,
    requestId,
    after: { email, role, method, session: operator.sessionId, ...originOf(visit) },
  });
}

export type SignInRefusal = "wrong password" | "wrong code" | "code used before";

/**
 * Tells the access log of a sign-in that was refused to somebody who exists, beside the request: of one who does not exist it
 * takes as long. A person's refusals are recorded at {@link RECORDED_REFUSALS} of a window, from wherever they come, so that guessing
 * does not fill the chain.
 * @param who an e-mail, or an operator's id
 */
export function recordRefusedSignIn(
  auth: AuthCore,
  visit: Visit,
  who: { readonly email: string } | { readonly operatorId: string },
  why: SignInRefusal,
): void {
  auth.access.later(async () => {
    const person = await operatorFacts(auth.db.pool, who);
    if (person === undefined) return undefined;
    const { attempts } = await countSignIn(auth.db.pool, bucketOf(auth.secret, person.id), SIGN_IN_WINDOW_SECONDS);
    if (!RECORDED_REFUSALS.includes(attempts)) return undefined;
    return {
      actor: DOOR,
      action: "sessions.sign_in_refused",
      operatorId: person.id,
      requestId: auth.requestId,
      reason: person.disabled ? "disabled" : why,
      after: {
        email: person.email,
        refusals: attempts,
        windowMinutes: SIGN_IN_WINDOW_SECONDS / 60,
        ...originOf(visit),
      },
    };
  });
}

/** @returns where somebody came from, as far as it is known. */
function originOf({ request, address }: Visit): { readonly device: string; readonly address: string } {
  return { device: deviceName(request.headers.get("user-agent")), address: shownAddress(address) };
}

function bucketOf(secret: string, operatorId: string): string {
  return `refused:${createHmac("sha256", secret)
    .update(JSON.stringify(["refused", operatorId]))
    .digest("base64url")}`;
}
