import { chainName, type AuditChain } from "@/domain/access/audit-chain";
import { AppError } from "@/domain/errors";
import type { EngineContext } from "@/engine/context";
import { requirePermission } from "@/engine/actions/require";

/**
 * Which chain somebody reads. The access log is of the whole deployment, so no key of one tenant opens it.
 * @returns what its entries stand under in place of a tenant
 * @throws AppError `auth.forbidden` and `auth.person_only` 403
 */
export function readableChain(ctx: Pick<EngineContext, "actor" | "tenantId">, chain: AuditChain = "tenant"): string {
  if (chain === "access") {
    requirePermission(ctx, "access_log.read");
    if (ctx.actor.kind !== "operator") {
      throw new AppError("auth.person_only", 403, "Only a person may read this", {
        detail: "The access log belongs to the whole deployment, an API key to one tenant.",
      });
    }
  }
  return chainName(ctx.tenantId, chain);
}
