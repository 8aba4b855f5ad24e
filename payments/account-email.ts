import { keptEmail, sealKeptEmail } from "./db/accounts";
import type { EngineContext } from "@/engine/index";

const bindingOf = (accountId: string): readonly string[] => ["account email", accountId];

/** @returns the address for receipts as the account keeps it: a copy of the table shows none */
export function sealEmail(ctx: EngineContext, accountId: string, email: string): Promise<Buffer> {
  return ctx.keyring.sealPersonal(ctx.tenantId, Buffer.from(email), bindingOf(accountId));
}

/** The address for receipts, read only where it is sent to. One that is kept in clear, from before, is sealed on that occasion. */
export async function emailOf(ctx: EngineContext, accountId: string): Promise<string | undefined> {
  const { tenantId } = ctx;
  const { pool } = ctx.db;
  const kept = await keptEmail(pool, tenantId, accountId);
  if (kept === undefined) return undefined;
  if (kept.sealed !== null)
    return (await ctx.keyring.openPersonal(tenantId, kept.sealed, bindingOf(accountId))).toString();
  if (kept.clear === null) return undefined;
  await sealKeptEmail(pool, tenantId, accountId, await sealEmail(ctx, accountId, kept.clear));
  return kept.clear;
}
