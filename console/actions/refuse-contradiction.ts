import { settlingEvidence } from "@/db/operations/settling-evidence";
import { AppError } from "@/domain/errors";
import type { EngineContext } from "@/engine/context";
import type { ResolveInput } from "@/engine/recover/resolve";

/** A decision against a final source: "failed" would free the customer to pay twice. @throws AppError `operation.contradicted` 409 */
export async function refuseContradiction(
  ctx: EngineContext,
  input: Pick<ResolveInput, "decision"> & ({ readonly operationId: string } | { readonly resolves: string }),
): Promise<void> {
  if (input.decision === "keep_waiting") return;
  const id = "resolves" in input ? input.resolves : input.operationId;
  const facts = await settlingEvidence(ctx.db.pool, ctx.tenantId, id);
  const against =
    input.decision === "failed"
      ? [
          facts.provider_succeeded && "the provider said it succeeded",
          facts.webhook_succeeded && "a signed webhook says it succeeded",
          facts.posted && "the ledger has an entry for it",
        ]
      : [
          facts.provider_declined && "the provider declined it",
          facts.webhook_failed && "a signed webhook says it failed",
        ];
  const why = against.filter((text) => text !== false);
  if (why.length === 0) return;
  throw new AppError("operation.contradicted", 409, "A final source contradicts this decision", {
    detail: `${why.join("; ")}. Nothing was changed.`,
  });
}
