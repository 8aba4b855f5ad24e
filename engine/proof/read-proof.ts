import { UUID } from "@/domain/uuid";
import { originalKey } from "@/domain/idempotency-key";
import { computeProof } from "@/domain/proof";
import type { ProofAnswer } from "@/domain/proof-facts";
import type { SignedProof } from "@/domain/proof-statement";
import type { VerdictView } from "@/domain/views/common";
import { hashOf } from "@/engine/answer-event";
import type { EngineContext } from "@/engine/context";
import { KeyDestroyedError } from "@/engine/data-keys";
import { requirePermission } from "@/engine/read/require";
import { proofFacts } from "./proof-facts";
import type { ProofSigner } from "./proof-signer";
import { takeSnapshot, type ProofSnapshot } from "./snapshot";

export interface ProofInput {
  readonly operationId: string;
  readonly signer: ProofSigner;
  /** Origin of this deployment, as people reach it. */
  readonly deployment: string;
}

export interface ProofView {
  readonly proof: SignedProof;
  /** Its sentence in clauses, for a page. */
  readonly verdict: VerdictView;
}

/**
 * The signed proof of one operation (C.10): how many requests, executions, provider calls, events and ledger entries there
 * were, and whether each is what it should be. Kept answers are opened to be hashed, and shown to nobody.
 *
 * @returns undefined when this tenant has no such operation
 * @throws AppError `auth.forbidden` 403, `dependency.timeout` 504
 */
export async function readProof(ctx: EngineContext, input: ProofInput): Promise<ProofView | undefined> {
  requirePermission(ctx, "operations.read");
  if (!UUID.test(input.operationId)) return undefined;
  const snapshot = await takeSnapshot(ctx, input.operationId.toLowerCase());
  if (snapshot === undefined) return undefined;
  const answers: ProofAnswer[] = [];
  for (const row of snapshot.answers) answers.push(await answerOf(ctx, snapshot, row));
  const facts = proofFacts(snapshot, answers, ctx.config.metadataTtlDays);
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

async function answerOf(
  ctx: EngineContext,
  { request }: ProofSnapshot,
  row: ProofSnapshot["answers"][number],
): Promise<ProofAnswer> {
  const { operation, operation_id: operationId } = request;
  const subject = { tenantId: ctx.tenantId, operation, key: originalKey(request.key, operationId), operationId };
  try {
    const body = await ctx.keyring.open(row.body, subject, "response");
    return { fence: row.fence, hash: hashOf(body).toString("hex") };
  } catch (error) {
    const unreadable =
      error instanceof KeyDestroyedError
        ? "The key of the kept answer was destroyed: nobody can read it any more."
        : "The kept answer cannot be opened here.";
    return { fence: row.fence, unreadable };
  }
}
