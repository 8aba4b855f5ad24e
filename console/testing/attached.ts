import { v7 as uuidv7 } from "uuid";
import { ATTACH_SCHEMA } from "@/attach/contract/columns";
import { insertAttachment } from "@/db/attachments/attachments";
import { MAX_ATTACHMENTS } from "@/console/attachments/limits";
import { readAddress, sealAddress } from "@/console/attachments/attachment-secret";
import { inTransaction } from "@/db/transaction";
import type { EngineContext } from "@/engine/context";

/** Attaches a database to the tenant of the context, as the settings page does. @returns its id */
export async function attachDatabase(
  ctx: Pick<EngineContext, "db" | "keyring" | "tenantId">,
  name: string,
  url: string,
  preset = "cap",
): Promise<string> {
  const id = uuidv7();
  const sealed = sealAddress(ctx.keyring, { tenantId: ctx.tenantId, id }, url);
  const row = { id, name, preset, sealed, shown: readAddress(url).shown, installedAs: ATTACH_SCHEMA, createdBy: "Ada" };
  const kept = await inTransaction(ctx.db, (tx) => insertAttachment(tx, ctx.tenantId, row, MAX_ATTACHMENTS));
  if (kept !== "kept") throw new Error(kept);
  return id;
}
