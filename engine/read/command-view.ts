import { parseCanonicalCommand, type CanonicalCommand } from "@/domain/canonical";
import { maskValue, shortHash } from "@/domain/mask";
import type { CommandView } from "@/domain/views/operations";
import { bodyBinding } from "@/engine/body-keyring";
import type { EngineContext } from "@/engine/context";

interface Stored {
  readonly fingerprint: Buffer;
  readonly fingerprint_version: number;
  readonly api_version: string;
}

/** @returns undefined when there is no body, or no key that opens it. @param kind of bodyBinding */
export function openCommand(
  ctx: EngineContext,
  operationId: string,
  sealed: Buffer | null | undefined,
  kind: string,
): CanonicalCommand | undefined {
  if (sealed === null || sealed === undefined) return undefined;
  try {
    return parseCanonicalCommand(ctx.keyring.open(sealed, bodyBinding(ctx.tenantId, operationId, kind)).toString());
  } catch {
    ctx.log.warn({ operationId, kind }, "a stored command could not be opened");
    return undefined;
  }
}

/** The command with all but its allow-listed fields masked, before it leaves the server. */
export function commandView(row: Stored, command: CanonicalCommand | undefined, stored: boolean): CommandView {
  return {
    fingerprint: shortHash(row.fingerprint),
    fingerprintVersion: row.fingerprint_version,
    apiVersion: row.api_version,
    body: command !== undefined ? "masked" : stored ? "unreadable" : "purged",
    fields:
      command === undefined
        ? []
        : Object.entries(command.fields).map(([name, value]) => ({ ...maskValue(name, value), defaulted: false })),
  };
}
