import { v7 as uuidv7 } from "uuid";
import { apiClientForChange, type ApiClientRow, insertApiClient, updateApiClient } from "@/db/access/api-clients";
import type { Queryable } from "@/db/client";
import { AppError } from "@/domain/errors";
import type { ActionRequest, ActionResult } from "@/engine/actions/action-answer";
import type { EngineContext } from "@/engine/context";
import { operatorAction } from "@/engine/actions/operator-action";
import { checkClientName, checkContact, checkProfile, checkScopes } from "./api-key-rules";

/** Clients of one tenant: each is a row of the clients page. */
const MAX_CLIENTS = 200;

/** Who clicked, when, under which key and why. */
export type ClientActionRequest = Pick<ActionRequest, "idempotencyKey" | "receivedAt" | "reason">;

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
  request: ClientActionRequest,
  asked: ClientFields & { readonly name: string },
): Promise<ActionResult> {
  const name = checkClientName(asked.name.trim());
  const fields = checked(asked);
  const subject = { type: "api_client", id: name };
  const input = { ...texts(fields), did: "create client" };
  return operatorAction(ctx, { ...request, action: "clients.manage", subject, input }, async (tx) => {
    const made = await insertApiClient(tx, {
      tenantId: ctx.tenantId,
      id: uuidv7(),
      name,
      ...fields,
      limit: MAX_CLIENTS,
    });
    if (made !== "created") throw refusal(made);
    return { changed: true, affected: 1, skipped: [], before: {}, after: { did: "client made", name, ...fields } };
  });
}

/**
 * Changes whom to write to and what new keys of a client open. Keys that exist stay as they are: rotate them.
 * @throws AppError `auth.forbidden` 403, `validation.api_key` 422, `api_client.not_found` 404
 */
export function changeClient(
  ctx: EngineContext,
  request: ClientActionRequest,
  name: string,
  asked: ClientFields,
): Promise<ActionResult> {
  const fields = checked(asked);
  const subject = { type: "api_client", id: name };
  const input = { ...texts(fields), did: "change client" };
  return operatorAction(ctx, { ...request, action: "clients.manage", subject, input }, async (tx) => {
    const was = await requireApiClient(tx, ctx, name);
    const before = { contact: was.contact, scopes: was.scopes, profile: was.profile };
    if (same(before, fields)) {
      return {
        changed: false,
        affected: 0,
        skipped: [{ id: name, why: "It is like that already." }],
        before,
        after: before,
      };
    }
    await updateApiClient(tx, { tenantId: ctx.tenantId, id: was.id, ...fields });
    return { changed: true, affected: 1, skipped: [], before, after: { did: "client changed", ...fields } };
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

interface CheckedFields {
  readonly contact: string | null;
  readonly scopes: readonly string[];
  readonly profile: string;
}

function checked(asked: ClientFields): CheckedFields {
  return {
    contact: checkContact(asked.contact),
    scopes: checkScopes(asked.scopes),
    profile: checkProfile(asked.profile),
  };
}

function texts(fields: CheckedFields): Readonly<Record<string, string | null>> {
  return { contact: fields.contact, scopes: [...fields.scopes].sort().join(" "), profile: fields.profile };
}

function same(one: CheckedFields, other: CheckedFields): boolean {
  return JSON.stringify(texts(one)) === JSON.stringify(texts(other));
}

function refusal(why: "exists" | "limit"): AppError {
  return why === "exists"
    ? new AppError("api_client.exists", 409, "A client with this name exists already", {
        detail: "Nothing was made. Make a key for the existing one.",
      })
    : new AppError("api_client.limit", 409, "The limit of clients is reached", {
        detail: `Nothing was made. A tenant has at most ${String(MAX_CLIENTS)} clients.`,
      });
}
