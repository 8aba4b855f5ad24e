import {
  AppError,
  changeMessage,
  derivedId,
  type EngineContext,
  enqueueMessage,
  inTransaction,
  type Queryable,
} from "@/engine/index";
import { type AccountRow, findAccount, updateDefaultCurrency as write } from "./db/accounts";
import { topicOf } from "./event-types";
import { accountEtag, accountView } from "./views";

const CHANGED = "account.default_currency_changed";

/**
 * A naturally idempotent PUT: no key needed, If-Match guards against a lost update. A change and its event are one
 * transaction; the event carries the account's version, so that whoever gets two in the wrong order can tell.
 *
 * @param input.ifMatch the ETag the caller saw, `*` or undefined for any version
 * @throws AppError `account.not_found` 404, `precondition.failed` 412 on a lost race
 */
export async function setDefaultCurrency(
  ctx: EngineContext,
  input: { readonly accountId: string; readonly currency: string; readonly ifMatch: string | undefined },
): Promise<{ view: Record<string, unknown>; etag: string }> {
  const version =
    input.ifMatch === undefined || input.ifMatch === "*"
      ? undefined
      : Number(/^"(\d{1,9})"$/.exec(input.ifMatch)?.[1] ?? -1);
  const row = await inTransaction(ctx.db, async (tx) => {
    const written = await write(tx, ctx.tenantId, input.accountId, input.currency, version);
    if (written?.changed === true) await publishChange(ctx, tx, written);
    return written;
  });
  if (row !== undefined) return { view: accountView(row), etag: accountEtag(row) };
  const current = await findAccount(ctx.db.pool, ctx.tenantId, input.accountId);
  if (current === undefined) throw new AppError("account.not_found", 404, "There is no such account");
  throw new AppError("precondition.failed", 412, "Somebody changed the account first", {
    detail: "Read the account again and send its new ETag.",
  });
}

/** Under an id of the account and its version: one change has one event. */
async function publishChange(ctx: EngineContext, tx: Queryable, account: AccountRow): Promise<void> {
  const id = derivedId(account.operation_id, `event:${CHANGED}:${String(account.version)}`);
  const aggregate = { type: "account", id: account.id };
  const message = changeMessage(ctx, id, {
    type: CHANGED,
    topic: topicOf(aggregate),
    aggregate,
    data: { ...accountView(account), version: account.version },
  });
  await enqueueMessage(ctx, tx, { ...message, operationId: undefined });
}
