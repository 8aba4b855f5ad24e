import type { OperationDetailRow } from "@/db/operations/select-operation";
import { only } from "@/db/query";
import { parseCanonicalCommand, type CanonicalCommand } from "@/domain/idempotency/canonical";
import { maskValue, shortHash } from "@/presentation/command/mask";
import { parsePlainCommand } from "@/presentation/command/plain-command";
import type { CommandView } from "@/presentation/views/operations";
import { keptElsewhere, keptInTheOpen, type BodyKind, type BodySubject } from "@/engine/bodies/body-keyring";
import type { EngineContext } from "@/engine/context";

/** @returns undefined when there is no body, or no key that opens it. */
export async function openCommand(
  ctx: EngineContext,
  subject: Omit<BodySubject, "tenantId">,
  sealed: Buffer | undefined,
  kind: BodyKind,
): Promise<CanonicalCommand | undefined> {
  if (sealed === undefined || keptElsewhere(sealed)) return undefined;
  try {
    const opened = (await ctx.keyring.open(sealed, { ...subject, tenantId: ctx.tenantId }, kind)).toString();
    return keptInTheOpen(sealed) ? parsePlainCommand(opened, subject.operation) : parseCanonicalCommand(opened);
  } catch {
    ctx.log.warn({ operationId: subject.operationId, kind }, "a stored command could not be opened");
    return undefined;
  }
}

/** The command with all but its allow-listed fields masked, before it leaves the server. */
export function commandView(
  row: Pick<OperationDetailRow, "fingerprint" | "fingerprintVersion" | "apiVersion" | "identityHash">,
  command: CanonicalCommand | undefined,
  sealed: Buffer | undefined,
): CommandView {
  const unopened = sealed === undefined ? "purged" : keptElsewhere(sealed) ? "elsewhere" : "unreadable";
  return {
    ...only(row, "fingerprintVersion", "apiVersion"),
    fingerprint: shortHash(row.fingerprint),
    meshIdentity: row.identityHash === undefined ? undefined : `sha256:${row.identityHash.toString("hex")}`,
    body: command !== undefined ? "masked" : unopened,
    fields:
      command === undefined
        ? []
        : Object.entries(command.fields).map(([name, value]) => ({ ...maskValue(name, value), defaulted: false })),
  };
}
