import { createHmac } from "node:crypto";
import { countSignIn } from "@/db/access/count-sign-in";
import type { AuthCore } from "./library";

/** A code is right in its own half minute and in the one before and after. */
const CODE_LIVES_SECONDS = 90;

/**
 * A code of the authenticator signs in or confirms once, so that whoever read it over a shoulder is too late (RFC 6238,
 * 5.2). The row holds a keyed hash, no code and no person.
 * @returns false when it did so for this operator already
 */
export async function spendCode(auth: AuthCore, operatorId: string, code: string): Promise<boolean> {
  const name = createHmac("sha256", auth.secret)
    .update(JSON.stringify(["code", operatorId, code]))
    .digest("base64url");
  const { attempts } = await countSignIn(auth.db.pool, `code-spent:${name}`, CODE_LIVES_SECONDS);
  return attempts === 1;
}
