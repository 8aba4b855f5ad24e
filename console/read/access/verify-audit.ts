import { boundedRead } from "@/db/bounded-read";
import { selectAuditIdAt, verifyAuditPart, type AuditPartRow } from "@/db/audit/select-audit";
import type { AuditChain } from "@/domain/access/audit-chain";
import type { AuditVerification } from "@/presentation/views/audit";
import { AppError } from "@/domain/errors";
import type { EngineContext } from "@/engine/context";
import { readableChain } from "./audit-chain";
import { requirePermission } from "@/engine/actions/require";

/** Entries of one statement: a tenth of a second or so. */
const BATCH = 2_000;
/** One call walks so long and then says how far it came. */
const BUDGET_MS = 1_500;
const SEQUENCE = /^[1-9]\d{0,17}$/;

export interface VerifyInput {
  readonly chain?: AuditChain | undefined;
  readonly from?: string | undefined;
  readonly budgetMs?: number;
  readonly batch?: number;
}

/**
 * Walks the tenant's audit chain, or the access log, in bounded batches. A long chain takes several calls, each from the entry after the
 * last one that was checked; together they prove the whole.
 * @param input.from sequence of the first entry, default 1
 * @param input.budgetMs how long one call walks
 * @throws AppError `auth.forbidden` 403, `validation.filter` 400 when `from` is no sequence
 */
export async function verifyAudit(ctx: EngineContext, input: VerifyInput = {}): Promise<AuditVerification> {
  requirePermission(ctx, "audit.verify");
  const chain = readableChain(ctx, input.chain);
  const { from = "1", budgetMs = BUDGET_MS, batch = BATCH } = input;
  if (!SEQUENCE.test(from)) {
    throw new AppError("validation.filter", 400, "A filter was not understood", {
      detail: "from: not the number of an entry",
      extensions: { filters: ["from"] },
    });
  }
  const begun = performance.now();
  let at = BigInt(from);
  let head = 0n;
  for (;;) {
    const first = at;
    const read = await boundedRead(ctx.db, "check", (q) => verifyAuditPart(q, chain, first, batch));
    if (read.kind === "too_broad") return verification("unfinished", from, first - 1n, head);
    const part = read.value;
    head = part.head ?? 0n;
    if (part.broken_at !== null) return broken(ctx, chain, from, part);
    at = part.checked_to + 1n;
    if (part.checked_to >= head && part.checked_to - first + 1n < BigInt(batch))
      return verification("holds", from, part.checked_to, head);
    if (performance.now() - begun > budgetMs) return verification("unfinished", from, part.checked_to, head);
  }
}

function verification(
  result: AuditVerification["result"],
  from: string,
  checkedTo: bigint,
  head: bigint,
): AuditVerification {
  return { at: new Date().toISOString(), result, from, checkedTo: checkedTo.toString(), head: head.toString() };
}

async function broken(ctx: EngineContext, chain: string, from: string, part: AuditPartRow): Promise<AuditVerification> {
  const at = part.broken_at ?? 0n;
  const read = await boundedRead(ctx.db, "detail", (q) => selectAuditIdAt(q, chain, at));
  return {
    ...verification("broken", from, part.checked_to, part.head ?? 0n),
    brokenAt: at.toString(),
    why: part.reason ?? undefined,
    brokenId: read.kind === "done" ? read.value : undefined,
  };
}
