import { findAccount } from "@/db/queries/payments/find-account";
import { setDefaultCurrency as write } from "@/db/statements/payments/set-default-currency";
import { AppError } from "@/domain/errors";
import type { EngineContext } from "@/engine/context";
import { accountEtag, accountView } from "./views";

/**
 * A naturally idempotent PUT: no key needed, If-Match guards against a lost update (S2.5).
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
  const row = await write(ctx.db.pool, ctx.tenantId, input.accountId, input.currency, version);
  if (row !== undefined) return { view: accountView(row), etag: accountEtag(row) };
  const current = await findAccount(ctx.db.pool, ctx.tenantId, input.accountId);
  if (current === undefined) throw new AppError("account.not_found", 404, "There is no such account");
  throw new AppError("precondition.failed", 412, "Somebody changed the account first", {
    detail: "Read the account again and send its new ETag.",
  });
}
