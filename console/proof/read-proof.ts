import { UUID } from "@/domain/uuid";
import { computeProof } from "@/presentation/proof/proof";
import type { SignedProof } from "@/presentation/proof/proof-statement";
import type { VerdictView } from "@/presentation/views/common";
import type { EngineContext } from "@/engine/context";
import { requirePermission } from "@/engine/actions/require";
import type { ProofSigner } from "./proof-signer";
import type { ProofAnswer, ProofFacts, ProofGap, ProofRows } from "@/domain/checks/proof-facts";
import { kindOf, namingOf, type OperationNaming } from "@/domain/operation-kind";
import { inTransaction } from "@/db/transaction";
import { type ProofSnapshot, selectProof } from "@/db/checks/select-proof";
import { OWN_SOURCE } from "@/engine/inbox/event-source";
import { READ_TIMEOUT_MS } from "@/db/bounded-read";
import { sha256 } from "@/engine/sha256";
import { KeyDestroyedError } from "@/engine/bodies/data-keys";

export interface ProofInput {
  readonly operationId: string;
  readonly signer: ProofSigner;
  /** Address of this deployment, as people reach it: origin and base path. */
  readonly deployment: string;
}

export interface ProofView {
  readonly proof: SignedProof;
  readonly verdict: VerdictView;
  readonly about: OperationNaming;
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
  return { proof: input.signer.sign(statement), verdict, about: namingOf(facts.about) };
}

function failed(claims: readonly { readonly name: string; readonly status: string }[]): string[] {
  return claims.filter((claim) => claim.status === "fails").map((claim) => claim.name);
}

const DAY_MS = 86_400_000;

/**
 * Every row that a proof is about, as one moment saw them: without it a settlement between two reads would look like an
 * effect without its cause. Kept answers are opened to be hashed. Says of each kind of row whether some may be missing.
 * @returns undefined when the tenant has no such operation
 * @throws AppError `dependency.timeout` 504
 */
async function readProofFacts(ctx: EngineContext, operationId: string): Promise<ProofFacts | undefined> {
  const kinds = await ctx.kinds.all();
  const snapshot = await inTransaction(ctx.db, (tx) => selectProof(tx, ctx.tenantId, operationId, OWN_SOURCE), {
    isolation: "repeatable read",
    readOnly: true,
    statementTimeoutMs: READ_TIMEOUT_MS.detail,
  });
  if (snapshot === undefined) return undefined;
  const { oldestDay, answers: sealed, ...rows } = snapshot;
  const { at, request } = rows;
  const answers: ProofAnswer[] = [];
  for (const answer of sealed) answers.push(await answerOf(ctx, snapshot, answer));
  const purged = (table: Parameters<typeof oldestDay>[0]): ProofGap | undefined => {
    const day = oldestDay(table);
    return day === undefined || request.createdAt.slice(0, 10) < day
      ? { kind: "purged", before: day ?? at }
      : undefined;
  };
  return {
    ...rows,
    about: kindOf(kinds, request.operation),
    answers: { rows: answers, gap: purged("idempotency_bodies") },
    events: withGap(rows.events, purged("idempotency_events")),
    outbox: withGap(rows.outbox, purged("outbox_history")),
    inbox: withGap(rows.inbox, inboxGap(request.createdAt, at, ctx.config.metadataTtlDays)),
  };
}

function withGap<Row>(read: ProofRows<Row>, gap: ProofGap | undefined): ProofRows<Row> {
  return { rows: read.rows, gap: read.gap ?? gap };
}

function inboxGap(created: string, at: string, days: number): ProofGap | undefined {
  const before = new Date(Date.parse(at) - days * DAY_MS).toISOString();
  return Date.parse(created) <= Date.parse(before) ? { kind: "purged", before } : undefined;
}

async function answerOf(
  ctx: EngineContext,
  { request: { operation, key, operationId } }: ProofSnapshot,
  { fence, body }: ProofSnapshot["answers"][number],
): Promise<ProofAnswer> {
  try {
    const opened = await ctx.keyring.open(body, { tenantId: ctx.tenantId, operation, key, operationId }, "response");
    return { fence, hash: sha256(opened).toString("hex") };
  } catch (error) {
    const unreadable =
      error instanceof KeyDestroyedError
        ? "The key of the kept answer was destroyed."
        : "The kept answer could not be opened here.";
    return { fence, unreadable };
  }
}
