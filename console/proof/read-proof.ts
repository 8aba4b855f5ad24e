import { UUID } from "@/domain/uuid";
import { computeProof } from "@/presentation/proof/proof";
import type { SignedProof } from "@/presentation/proof/proof-statement";
import type { VerdictView } from "@/presentation/views/common";
import type { EngineContext } from "@/engine/context";
import { requirePermission } from "@/engine/actions/require";
import { readProofFacts } from "./proof-facts";
import type { ProofSigner } from "./proof-signer";

export interface ProofInput {
  readonly operationId: string;
  readonly signer: ProofSigner;
  /** Origin of this deployment, as people reach it. */
  readonly deployment: string;
}

export interface ProofView {
  readonly proof: SignedProof;
  readonly verdict: VerdictView;
}

/**
 * The signed proof of one operation: how many requests, executions, provider calls, events and ledger entries there
 * were, and whether each is what it should be. Kept answers are opened to be hashed, and shown to nobody.
 * @returns undefined when this tenant has no such operation
 * @throws AppError `auth.forbidden` 403, `dependency.timeout` 504
 */
export async function readProof(ctx: EngineContext, input: ProofInput): Promise<ProofView | undefined> {
  requirePermission(ctx, "operations.read");
  if (!UUID.test(input.operationId)) return undefined;
  const facts = await readProofFacts(ctx, input.operationId.toLowerCase());
  if (facts === undefined) return undefined;
  const { statement, verdict } = computeProof(facts, { deployment: input.deployment, tenant: ctx.tenantId });
  if (statement.verdict === "broken")
    ctx.log.error(
      { operationId: statement.operationId, reason: failed(statement.claims).join(" ") },
      "a proof failed: something did not happen once",
    );
  return { proof: input.signer.sign(statement), verdict };
}

function failed(claims: readonly { readonly name: string; readonly status: string }[]): string[] {
  return claims.filter((claim) => claim.status === "fails").map((claim) => claim.name);
}
