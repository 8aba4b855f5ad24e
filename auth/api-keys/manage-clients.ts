import { v7 as uuidv7 } from "uuid";
import { apiClientForChange, type ApiClientRow, insertApiClient, updateApiClient } from "@/db/access/api-clients";
import type { Queryable } from "@/db/client";
import { AppError } from "@/domain/errors";
import { changedOutcome, unchangedOutcome, type ActionOrigin, type ActionResult } from "@/engine/actions/action-answer";
import type { EngineContext } from "@/engine/context";
import { operatorAction } from "@/engine/actions/operator-action";
import { checkClientName, checkContact, checkProfile, checkScopes } from "./api-key-rules";

/** Clients of one tenant: each is a row of the clients page. */
const MAX_CLIENTS = 200;

/** What a client is, as far as a person decides it. */
export interface ClientFields {
  /** Whom to write to about its conflicts; empty for nobody. */
  readonly contact: string;
  /** What its new keys open, and how they are answered. */
  readonly scopes: readonly string[];
  readonly profile: string;
}

/**
 * Makes a client without a key.
 * @throws AppError `auth.forbidden` 403, `validation.api_key` 422, `api_client.exists` 409, `api_client.limit` 409
 */
export function createApiClient(
  ctx: EngineContext,
  origin: ActionOrigin,
  input: ClientFields & { readonly name: string },
): Promise<ActionResult> {
  const name = checkClientName(input.name.trim());
  const fields = checked(ctx, input);
  const subject = { type: "api_client", id: name };
  const inputTexts = { ...texts(fields), did: "create client" };
  return operatorAction(ctx, { ...origin, action: "clients.manage", subject, input: inputTexts }, async (tx) => {
    const row = { tenantId: ctx.tenantId, id: uuidv7(), name, ...fields, limit: MAX_CLIENTS };
    const made = await insertApiClient(tx, row);
    if (made !== "created") throw refusal(made);
    return changedOutcome({}, { did: "client made", name, ...fields });
  });
}

/**
 * Changes whom to write to and what new keys of a client open. Keys that exist stay as they are: rotate them.
 * @throws AppError `auth.forbidden` 403, `validation.api_key` 422, `api_client.not_found` 404
 */
export function changeClient(
  ctx: EngineContext,
  origin: ActionOrigin,
  name: string,
  input: ClientFields,
): Promise<ActionResult> {
  const fields = checked(ctx, input);
  const subject = { type: "api_client", id: name };
  const inputTexts = { ...texts(fields), did: "change client" };
  return operatorAction(ctx, { ...origin, action: "clients.manage", subject, input: inputTexts }, async (tx) => {
    const was = await requireApiClient(tx, ctx, name);
    const before = { contact: was.contact ?? null, scopes: was.scopes, profile: was.profile };
    if (JSON.stringify(texts(before)) === JSON.stringify(texts(fields)))
      return unchangedOutcome(name, "It is like that already.", before);
    await updateApiClient(tx, { tenantId: ctx.tenantId, id: was.id, ...fields });
    return changedOutcome(before, { did: "client changed", ...fields });
  });
}

/** Locked until the transaction ends. @throws AppError `api_client.not_found` 404 */
export async function requireApiClient(
  tx: Queryable,
  ctx: Pick<EngineContext, "tenantId">,
  name: string,
): Promise<ApiClientRow> {
  const row = await apiClientForChange(tx, ctx.tenantId, name);
  if (row !== undefined) return row;
  throw new AppError("api_client.not_found", 404, "There is no such client", { detail: "Nothing was changed." });
}

interface CheckedFields extends Omit<ClientFields, "contact"> {
  readonly contact: string | null;
}

function checked(ctx: EngineContext, input: ClientFields): CheckedFields {
  return {
    contact: checkContact(input.contact),
    scopes: checkScopes(input.scopes, ctx.scopes),
    profile: checkProfile(input.profile),
  };
}

function texts(fields: CheckedFields): Readonly<Record<string, string | null>> {
  return { contact: fields.contact, scopes: [...fields.scopes].sort().join(" "), profile: fields.profile };
}

function refusal(why: "exists" | "limit"): AppError {
  return why === "exists"
    ? new AppError("api_client.exists", 409, "A client with this name exists already", {
        detail: "Nothing was made. Create a key for the existing one.",
      })
    : new AppError("api_client.limit", 409, "The limit of clients is reached", {
        detail: `Nothing was made. A tenant has at most ${String(MAX_CLIENTS)} clients.`,
      });
}
