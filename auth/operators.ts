import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import type { Database } from "@/db/client";
import { changeOperatorRoleRow } from "@/db/statements/change-operator-role";
import { disableOperatorRow } from "@/db/statements/disable-operator";
import { removeTwoFactor } from "@/db/statements/operators/change-operator";
import { operatorIdByEmail } from "@/db/queries/operator-id-by-email";
import { upsertOperatorRow } from "@/db/statements/upsert-operator";
import { AppError } from "@/domain/errors";
import { ROLES, type Role } from "@/domain/states";
import { PASSWORD_MAX, PASSWORD_MIN, type AuthCore } from "./library";

export interface OperatorRequest {
  readonly email: string;
  readonly password: string;
  readonly role: string;
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
    .max(PASSWORD_MAX, { error: `A password has at most ${String(PASSWORD_MAX)} characters.` }),
  role: z.enum(ROLES, { error: `A role is one of ${ROLES.join(", ")}.` }),
  name: z.string().trim().min(1).max(100, { error: "A name has at most 100 characters." }).optional(),
});

/**
 * Makes an operator, or gives the one with this e-mail another password, role and name. Their sessions end.
 *
 * @throws AppError `validation.operator` (422) with the first thing that is wrong
 */
export async function upsertOperator(
  db: Database,
  auth: Pick<AuthCore, "library">,
  request: OperatorRequest,
): Promise<{ readonly id: string; readonly email: string; readonly role: Role; readonly created: boolean }> {
  const parsed = operatorRequest.safeParse(request);
  if (!parsed.success) {
    throw new AppError("validation.operator", 422, "This operator cannot be stored", {
      detail: parsed.error.issues[0]?.message ?? "A field is wrong.",
    });
  }
  const { email, password, role, name } = parsed.data;
  const { password: passwords } = await auth.library.$context;
  const passwordHash = await passwords.hash(password);
  const { id, created } = await upsertOperatorRow(db.pool, { newId: uuidv7(), email, role, name, passwordHash });
  return { id, email, role, created };
}

/** Acts on the operator's next request. @returns whether there is one of this e-mail. */
export function changeRole(db: Database, email: string, role: Role): Promise<boolean> {
  return changeOperatorRoleRow(db.pool, email.trim().toLowerCase(), role);
}

/** Shuts an operator out at once. @returns whether there was one who was not shut out yet. */
export function disableOperator(db: Database, email: string): Promise<boolean> {
  return disableOperatorRow(db.pool, email.trim().toLowerCase());
}

/** Takes the second factor off and ends sessions. @returns whether one was on; undefined without such an operator */
export async function removeSecondFactor(db: Database, email: string): Promise<boolean | undefined> {
  const id = await operatorIdByEmail(db.pool, email.trim().toLowerCase());
  return id === undefined ? undefined : removeTwoFactor(db.pool, id);
}
