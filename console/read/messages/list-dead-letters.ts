import type { Queryable } from "@/db/client";
import { only } from "@/db/query";
import {
  DEAD_LETTER_GROUPS,
  DEAD_LETTER_SORT,
  DEAD_LETTERS_COUNTED,
  selectNewestOfGroups,
  selectDeadLetterGroups,
  selectDeadLetters,
  type DeadLetterGroupRow,
} from "@/db/messages/select-dead-letters";
import { selectOpenCounts } from "@/db/metrics/counts";
import { type DeadLetterDbRow, deadLettersInScope } from "@/db/messages/dead-letters";
import { PAGE_ROWS } from "@/db/paging";
import { readWithin } from "@/db/bounded-read";
import { actionView } from "@/presentation/operation/allowed-actions";
import { groupKey, groupOfKey } from "@/presentation/filters/dead-letters";
import type { JudgedOutlook } from "@/domain/messages/requeue-outlook";
import type { Judged, RequeueVerdict } from "@/domain/messages/requeue-verdict";
import { countOutlooks } from "@/presentation/message/outlook";
import { hintOf, leftBecause } from "@/presentation/message/safe-to-act";
import type {
  DeadLetterGroup,
  DeadLetterRow,
  DeadLettersView,
  JudgedReason,
  VerdictCounts,
} from "@/presentation/views/dead-letters";
import type { EngineContext } from "@/engine/context";
import { judgeDeadLetters, judgeDeadLettersBoth, outlooksOfDeadLetters } from "@/console/plans/judge-dead-letters";
import { endpointLabels } from "./endpoint-labels";
import { requirePermission, roleOf } from "@/engine/actions/require";
import type { DeadLetterFilters } from "@/domain/lists/filters";
import { type Cursor, cutPage, readCursor } from "@/domain/lists/cursor";

/** Causes that are shown until somebody asks for all. */
const FIRST_GROUPS = 12;
/** Newest rows of every cause whose verdict a page says, and of the one whose rows are shown. */
const JUDGED_PER_GROUP = 50;
const JUDGED_OPENED = 500;
const SORT = "dead";

export interface DeadLetterQuestion {
  readonly filters: DeadLetterFilters;
  /** Group whose rows are shown, as `groupKey` names it; without it the first one. */
  readonly open?: string | undefined;
  readonly cursor?: string | undefined;
}

/**
 * Dead letters grouped by error and place, with what may be requeued right now and why not the rest, and one page of the rows of
 * one group.
 *
 * @throws AppError `auth.forbidden` 403, `dependency.timeout` 504
 */
export async function listDeadLetters(ctx: EngineContext, input: DeadLetterQuestion): Promise<DeadLettersView> {
  requirePermission(ctx, "dead_letters.read");
  const { filters } = input;
  const cursor = readCursor(input.cursor, SORT, DEAD_LETTER_SORT);
  return readWithin(ctx.db, "list", async (q) => {
    const counts = await selectOpenCounts(q, ctx.tenantId);
    const grouped = await selectDeadLetterGroups(q, ctx.tenantId, filters);
    const all = grouped.slice(0, DEAD_LETTER_GROUPS);
    const opened = all.find((row) => groupKey(row) === input.open) ?? all[0];
    const first = filters.all ? all : all.filter((row, at) => at < FIRST_GROUPS || row === opened);
    const deadLetters = await deadLettersToJudge(q, ctx, filters, first, opened);
    const judged = await judgeDeadLetters(q, ctx, "requeue", deadLetters);
    const outlooks = await outlooksOfDeadLetters(q, ctx.tenantId, requeuedOf(deadLetters, judged));
    const labelOf = await endpointLabels(q, ctx.tenantId);
    const read: JudgedLetters = { deadLetters, judged, outlooks };
    const group = opened === undefined ? undefined : groupOf(opened, read, labelOf);
    const rows = await deadLetterRowsOf(q, ctx, { filters, cursor }, group);
    const role = roleOf(ctx);
    const matching = grouped[0]?.matching ?? 0;
    return {
      at: counts.at,
      open: counts.deadLetters,
      matching: { count: Math.min(matching, DEAD_LETTERS_COUNTED), more: matching > DEAD_LETTERS_COUNTED },
      groups: first.map((row) => groupOf(row, read, labelOf)),
      causes: all.length,
      moreGroups: grouped.length > DEAD_LETTER_GROUPS,
      ...counted(read, deadLetters),
      group,
      rows: { ...rows, at: counts.at },
      requeue: actionView("requeue", role, "outbox.requeue", undefined),
      discard: actionView("discard", role, "outbox.discard", undefined),
      plan: actionView("start_plan", role, "plans.create", undefined),
    };
  });
}

/** The newest of every cause that is shown, and more of the one that is opened; each once. */
async function deadLettersToJudge(
  q: Queryable,
  ctx: EngineContext,
  filters: DeadLetterFilters,
  shown: readonly DeadLetterGroupRow[],
  opened: DeadLetterGroupRow | undefined,
): Promise<DeadLetterDbRow[]> {
  if (opened === undefined) return [];
  const causes = shown.map((row) => row.fingerprint);
  const newest = await selectNewestOfGroups(q, ctx.tenantId, filters, causes, JUDGED_PER_GROUP);
  const own =
    opened.count <= JUDGED_PER_GROUP
      ? []
      : await deadLettersInScope(q, ctx.tenantId, { ...filters, ...groupOfKey(groupKey(opened)) }, JUDGED_OPENED);
  return [...new Map([...newest, ...own].map((row) => [row.id, row])).values()];
}

async function deadLetterRowsOf(
  q: Queryable,
  ctx: EngineContext,
  { filters, cursor }: { readonly filters: DeadLetterFilters; readonly cursor: Cursor | undefined },
  group: DeadLetterGroup | undefined,
): Promise<Omit<DeadLettersView["rows"], "at">> {
  if (group === undefined) return { rows: [] };
  const page = { limit: PAGE_ROWS, direction: "desc", cursor } as const;
  const found = await selectDeadLetters(q, ctx.tenantId, { ...filters, ...groupOfKey(group.key) }, page);
  const judged = await judgeDeadLettersBoth(q, ctx, found);
  const requeued = found.filter(({ id }) => judged.get(id)?.requeue.act === "requeue");
  const outlooks = await outlooksOfDeadLetters(q, ctx.tenantId, requeued);
  const cut = cutPage(found, PAGE_ROWS, cursor, SORT, (row) => ({ value: row.deadAt, id: row.id }));
  return { ...cut, rows: cut.rows.map((row) => deadLetterRow(row, judged.get(row.id), outlooks.get(row.id))) };
}

/** Dead letters with what a requeue of each would be answered, and whether those that would go again get through. */
interface JudgedLetters {
  readonly deadLetters: readonly DeadLetterDbRow[];
  readonly judged: ReadonlyMap<string, Judged>;
  readonly outlooks: ReadonlyMap<string, JudgedOutlook>;
}

function requeuedOf(
  deadLetters: readonly DeadLetterDbRow[],
  judged: ReadonlyMap<string, Judged>,
): readonly DeadLetterDbRow[] {
  return deadLetters.filter(({ id }) => judged.get(id)?.act === "requeue");
}

function groupOf(row: DeadLetterGroupRow, read: JudgedLetters, labelOf: (topic: string) => string): DeadLetterGroup {
  const { matching: _, ...shown } = row;
  const key = groupKey(row);
  const own = read.deadLetters.filter((each) => groupKey(each) === key);
  return { ...shown, key, placeLabel: labelOf(row.place), ...counted(read, own), reasons: reasonsOf(read, own) };
}

/** Sentences of each judgement that are said of a group. */
const REASONS = 3;

function reasonsOf({ judged, outlooks }: JudgedLetters, own: readonly DeadLetterDbRow[]): readonly JudgedReason[] {
  const hints = own.flatMap(({ id }) => {
    const requeue = judged.get(id);
    return requeue === undefined ? [] : [hintOf(requeue, "dead", outlooks.get(id))];
  });
  return (["safe", "outlook"] as const).flatMap((of) => {
    const counts = new Map<string, JudgedReason>();
    for (const { [of]: said } of hints) {
      if (said !== undefined) counts.set(said.text, { of, said, count: (counts.get(said.text)?.count ?? 0) + 1 });
    }
    return [...counts.values()].sort((a, b) => b.count - a.count).slice(0, REASONS);
  });
}

/** Both judgements of some of them, counted. */
function counted(
  { judged, outlooks }: JudgedLetters,
  own: readonly DeadLetterDbRow[],
): Pick<DeadLetterGroup, "verdicts" | "outlooks" | "judged"> {
  return {
    verdicts: countVerdicts(own, judged),
    outlooks: countOutlooks(own.map(({ id }) => outlooks.get(id))),
    judged: own.length,
  };
}

function countVerdicts(deadLetters: readonly DeadLetterDbRow[], judged: ReadonlyMap<string, Judged>): VerdictCounts {
  const counts: Partial<Record<RequeueVerdict, number>> = {};
  for (const { id } of deadLetters) {
    const verdict = judged.get(id)?.verdict ?? "moved";
    counts[verdict] = (counts[verdict] ?? 0) + 1;
  }
  return counts;
}

/** @param judged may it go again, may it be dropped: only the list of dead letters says it, and whether it would get through */
export function deadLetterRow(
  row: DeadLetterDbRow,
  judged?: Readonly<Record<"requeue" | "discard", Judged>>,
  outlook?: JudgedOutlook,
): DeadLetterRow {
  return {
    ...only(row, "id", "side", "messageId", "place", "type", "operationId", "errorCode", "error", "attempts", "deadAt"),
    ...only(row, "settlement", "reason", "correctedBy"),
    requeuedAt: row.settledAt,
    requeuedBy: row.settledBy,
    ...(judged !== undefined && {
      verdict: judged.requeue.verdict,
      ...hintOf(judged.requeue, "dead", outlook),
      discardNot: leftBecause(judged.discard),
    }),
  };
}
