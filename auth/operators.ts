import { isPlain, PLAIN_RULE } from "@/domain/plain-text";
import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import type { Database } from "@/db/client";
import { operatorFacts } from "@/db/access/operator-facts";
import { removeTwoFactor, upsertOperatorRow } from "@/db/access/operators";
import { tenantExists } from "@/db/tenants";
import { inTransaction } from "@/db/transaction";
import { AppError } from "@/domain/errors";
import { ROLES, type Role } from "@/domain/idempotency/states";
import type { Actor } from "@/engine/context";
import { recordAccess } from "./access-log";
import { COMMON_PASSWORD_WORDS, isCommonPassword } from "./sign-in/common-password";
import { PASSWORD_MAX, PASSWORD_MIN, type AuthCore } from "./sign-in/library";

/** Whoever may run a command on the machine; who that was is the machine's to say. */
const COMMAND_LINE: Actor = { kind: "system", id: "command-line", name: "command line" };

const TENANT_MAX = 63;

export interface OperatorRequest {
  readonly email: string;
  readonly password: string;
  readonly role: string;
  /** Where the role is for; all tenants when left out. */
  readonly tenant?: string | undefined;
  /** Shown beside what they do; the part before the @ when left out. */
  readonly name?: string | undefined;
}

const operatorRequest = z.object({
  email: z
    .string()
    .trim()
    .toLowerCase()
    .pipe(z.email({ error: "An e-mail address looks like name@example.com." })),
  password: z
    .string()
    .min(PASSWORD_MIN, { error: `A password has at least ${String(PASSWORD_MIN)} characters.` })
    .max(PASSWORD_MAX, { error: `A password has at most ${String(PASSWORD_MAX)} characters.` })
    .refine(async (password) => !(await isCommonPassword(password)), { error: COMMON_PASSWORD_WORDS }),
  role: z.enum(ROLES, { error: `A role is one of ${ROLES.join(", ")}.` }),
  tenant: z.string().min(1).max(TENANT_MAX, { error: "There is no such tenant." }).optional(),
  name: z
    .string()
    .trim()
    .min(1)
    .max(100, { error: "A name has at most 100 characters." })
    .refine(isPlain, `A name ${PLAIN_RULE}.`)
    .optional(),
});

/**
 * Makes an operator, or gives the one with this e-mail another password, role and name. Their sessions end. Grants of other tenants
 * stay. With its entry in the access log, one transaction.
 * @throws AppError `validation.operator` (422) with the first thing that is wrong
 */
export async function upsertOperator(
  db: Database,
  auth: Pick<AuthCore, "library">,
  request: OperatorRequest,
): Promise<{ readonly id: string; readonly email: string; readonly role: Role; readonly created: boolean }> {
  const parsed = await operatorRequest.safeParseAsync(request);
  if (!parsed.success) {
    throw notStored(parsed.error.issues[0]?.message ?? "A field is wrong.");
  }
  const { email, password, role, tenant, name } = parsed.data;
  const { password: passwords } = await auth.library.$context;
  const passwordHash = await passwords.hash(password);
  return inTransaction(db, async (tx) => {
    if (tenant !== undefined && !(await tenantExists(tx, tenant))) throw notStored(`There is no tenant ${tenant}.`);
    const was = await operatorFacts(tx, { email }, { lock: true });
    const row = { newId: uuidv7(), email, role, tenantId: tenant, name, passwordHash };
    const { id, created } = await upsertOperatorRow(tx, row);
    await recordAccess(tx, {
      actor: COMMAND_LINE,
      action: created ? "operators.create" : "operators.change",
      operatorId: id,
      requestId: undefined,
      before: was && { email, name: was.name, role: was.role, disabled: was.disabled },
      after: {
        ...{ email, name: name ?? was?.name, role, tenant },
        ...{ disabled: false, password: "given", sessionsEnded: !created },
      },
    });
    return { id, email, role, created };
  });
}

function notStored(detail: string): AppError {
  return new AppError("validation.operator", 422, "This operator cannot be stored", { detail });
}

/** Takes the second factor off and ends sessions. @returns whether one was on; undefined without such an operator */
export function removeSecondFactor(db: Database, email: string): Promise<boolean | undefined> {
  return inTransaction(db, async (tx) => {
    const was = await operatorFacts(tx, { email }, { lock: true });
    if (was === undefined) return undefined;
    if (!(await removeTwoFactor(tx, was.id))) return false;
    await recordAccess(tx, {
      actor: COMMAND_LINE,
      action: "operators.reset_two_factor",
      operatorId: was.id,
      requestId: undefined,
      before: { email: was.email, twoFactor: true },
      after: { email: was.email, twoFactor: false, sessionsEnded: true },
    });
    return true;
  });
}
