import { boundedRead, primaryOf } from "@/db/bounded-read";
import { selectAuditIdAt } from "@/db/audit/select-audit";
import { selectChainHead, selectChainPart, type ChainHead } from "@/db/audit/select-chain";
import type { AuditChain } from "@/domain/access/audit-chain";
import type { AuditRecord } from "@/domain/access/audit-text";
import type { AuditVerification } from "@/presentation/views/audit";
import { AppError } from "@/domain/errors";
import type { EngineContext } from "@/engine/context";
import type { SignedCheckpoint } from "@/engine/audit/checkpoint";
import { createKnownCheckpoints } from "@/engine/audit/known-checkpoints";
import {
  chainBegin,
  CHAIN_BATCH,
  endFlaw,
  isBroken,
  step,
  type Broken,
  type ChainPlace,
} from "@/engine/audit/walk-chain";
import { readableChain } from "./audit-chain";
import { requirePermission } from "@/engine/actions/require";

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
 * Walks the tenant's audit chain, or the access log, in bounded batches, and holds it against the newest checkpoint that is kept beside it.
 * Hashes and signatures are computed here: a function of the database may have been replaced. A long chain takes several calls, each from
 * the entry after the last one that was checked; together they prove the whole.
 * @param input.from sequence of the first entry, default 1
 * @param input.budgetMs how long one call walks
 * @throws AppError `auth.forbidden` 403, `validation.filter` 400 when `from` is no sequence
 */
export async function verifyAudit(ctx: EngineContext, input: VerifyInput = {}): Promise<AuditVerification> {
  requirePermission(ctx, "audit.verify");
  const chain = readableChain(ctx, input.chain);
  const { from = "1", budgetMs = BUDGET_MS, batch = CHAIN_BATCH } = input;
  if (!SEQUENCE.test(from)) {
    throw new AppError("validation.filter", 400, "A filter was not understood", {
      detail: "from: not the number of an entry",
      extensions: { filters: ["from"] },
    });
  }
  const newest = await newestOf(ctx, chain);
  const walked = await walk(ctx, chain, { from: BigInt(from), budgetMs, batch }, newest);
  const { checkedTo, head, broken } = walked;
  const answer = {
    ...{ at: new Date().toISOString(), result: walked.result, from },
    ...{ checkedTo: checkedTo.toString(), head: (head?.sequence ?? 0n).toString() },
    checkpoints: checkpointsOf(ctx, newest, head),
  };
  if (broken === undefined) return answer;
  const read = await boundedRead(primaryOf(ctx.db), "detail", (q) => selectAuditIdAt(q, chain, broken.at));
  const brokenId = read.kind === "done" ? read.value : undefined;
  return { ...answer, brokenAt: broken.at.toString(), why: broken.flaw, brokenId };
}

/** The copies in the database, as far as a key of ours signed them; what is kept elsewhere is the worker's and the auditor's to compare. */
async function newestOf(ctx: EngineContext, chain: string): Promise<SignedCheckpoint | undefined> {
  const { known: keys } = ctx.auditKeys;
  if (keys.size === 0) return undefined;
  return createKnownCheckpoints({ db: ctx.db.pool, keys, sinks: [], log: ctx.log }).newest(chain);
}

function checkpointsOf(
  ctx: EngineContext,
  newest: SignedCheckpoint | undefined,
  head: ChainHead | undefined,
): AuditVerification["checkpoints"] {
  if (ctx.auditKeys.known.size === 0) return { kept: "none" };
  if (newest === undefined) return { kept: "not yet" };
  const since = (head?.sequence ?? 0n) - newest.sequence;
  return {
    kept: "signed",
    at: newest.at,
    covers: newest.sequence.toString(),
    since: (since < 0n ? 0n : since).toString(),
  };
}

interface Walk {
  readonly result: AuditVerification["result"];
  readonly checkedTo: bigint;
  readonly head: ChainHead | undefined;
  readonly broken?: Broken | undefined;
}

interface Part {
  readonly head: ChainHead;
  readonly entries: readonly AuditRecord[];
}

async function walk(
  ctx: EngineContext,
  chain: string,
  { from, budgetMs, batch }: { readonly from: bigint; readonly budgetMs: number; readonly batch: number },
  newest: SignedCheckpoint | undefined,
): Promise<Walk> {
  const begun = performance.now();
  const rules = {
    keys: ctx.auditKeys.known,
    signedFrom: newest?.signedFrom,
    hashes: new Map(newest === undefined ? [] : [[newest.sequence, newest.hash]]),
  };
  let place: ChainPlace | undefined = from === 1n ? chainBegin(chain) : undefined;
  let head: ChainHead | undefined;
  for (;;) {
    const first: bigint = place === undefined ? from - 1n : place.sequence + 1n;
    const read = await boundedRead(primaryOf(ctx.db), "check", (q) =>
      readPart(q, chain, first, batch + (place === undefined ? 1 : 0)),
    );
    if (read.kind === "too_broad") return { result: "unfinished", checkedTo: place?.sequence ?? from - 1n, head };
    head = read.value.head;
    const { entries } = read.value;
    // The part before has checked the entry before.
    const before = place === undefined ? entries[0] : undefined;
    if (place === undefined && before?.sequence !== first)
      return { result: "broken", checkedTo: first - 1n, head, broken: { at: first, flaw: "an entry is missing" } };
    let at: ChainPlace = place ?? placeAt(before, chain);
    for (const entry of before === undefined ? entries : entries.slice(1)) {
      const next = step(at, entry, rules);
      if (isBroken(next)) return { result: "broken", checkedTo: at.sequence, head, broken: next };
      at = next;
    }
    place = at;
    if (entries.length - (before === undefined ? 0 : 1) < batch) {
      const broken = endFlaw(at, { head, checkpoint: newest?.sequence });
      return {
        result: broken === undefined ? "holds" : "broken",
        checkedTo: at.sequence,
        head: atLeast(head, at),
        broken,
      };
    }
    if (performance.now() - begun > budgetMs)
      return { result: "unfinished", checkedTo: at.sequence, head: atLeast(head, at) };
  }
}

async function readPart(
  q: Parameters<typeof selectChainHead>[0],
  chain: string,
  from: bigint,
  limit: number,
): Promise<Part> {
  return { head: await selectChainHead(q, chain), entries: await selectChainPart(q, chain, from, limit) };
}

function placeAt(entry: AuditRecord | undefined, chain: string): ChainPlace {
  if (entry === undefined) return chainBegin(chain);
  const { sequence, hash, version } = entry;
  return { sequence, hash, version, lastUnsigned: 0n, ofServices: 0n };
}

/** Entries may be added while it walks. */
function atLeast(head: ChainHead, { sequence }: ChainPlace): ChainHead {
  return (head.sequence ?? 0n) < sequence ? { ...head, sequence } : head;
}
