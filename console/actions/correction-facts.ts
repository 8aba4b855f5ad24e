import type { Queryable } from "@/db/client";
import { correctionFacts, type CorrectionFactsRow } from "@/db/messages/corrections";
import { neverLeft, refusedBy, type CorrectionFacts } from "@/domain/messages/correction-verdict";
import type { EngineContext } from "@/engine/context";
import { messageFacts } from "./dead-letter-facts";

/**
 * What {@link import("@/domain/messages/correction-verdict").judgeCorrection} judges, for messages of the outbox that have not left.
 * @param proposed it is about a proposal that waits already, which does not stand in its own way
 * @returns by id of the message
 */
export async function readCorrectionFacts(
  q: Queryable,
  ctx: Pick<EngineContext, "tenantId" | "config" | "keyring">,
  ids: readonly string[],
  proposed = false,
): Promise<ReadonlyMap<string, CorrectionFacts>> {
  const facts = await messageFacts(q, ctx, "outbox", ids);
  const found = await correctionFacts(q, ctx.tenantId, ids, ctx.config.metadataTtlDays);
  const rows = new Map(found.map((row) => [row.id, row]));
  const all = new Map<string, CorrectionFacts>();
  for (const [id, { facts: own }] of facts) {
    if (own.side !== "outbox") continue;
    all.set(id, { ...own, ...attemptsOf(rows.get(id), proposed) });
  }
  return all;
}

function attemptsOf(row: CorrectionFactsRow | undefined, proposed: boolean) {
  const ends = row?.ends ?? [];
  const sum = (some: typeof ends): number => some.reduce((total, { count }) => total + count, 0);
  const refused = ends.filter(({ outcome, code }) => outcome !== "lost" && refusedBy(code ?? undefined));
  const open = ends.find((end) => !refused.includes(end));
  return {
    attemptsMade: row?.made ?? 0,
    attemptsKept: sum(ends),
    attemptsRefused: sum(refused),
    attemptsUnsent: sum(refused.filter(({ code }) => neverLeft(code ?? undefined))),
    openError: open?.code ?? undefined,
    lastError: row?.lastError,
    old: row?.old ?? true,
    bytes: row?.bytes ?? 0,
    waiting: proposed ? undefined : row?.waiting,
  };
}
