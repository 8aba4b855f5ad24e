import type { ExportCell } from "@/presentation/list/export-writer";
import type { Queryable } from "@/db/client";
import { selectAttention, type AttentionDbRow } from "@/db/operations/select-attention";
import { selectOperationSparklines, type OperationSparklineRow } from "@/db/operations/select-operation-sparklines";
import { selectOperations, type OperationListRow } from "@/db/operations/select-operations";
import { resolveWindow } from "@/db/exports/window";
import { chainWords } from "@/presentation/operation/chain-words";
import { buildMiniChain } from "@/presentation/operation/mini-chain";
import { formatAmount } from "@/domain/money";
import { attentionRows } from "@/console/read/operations/attention-rows";
import { chainFacts, shownState } from "@/console/read/operations/operation-row";
import { wants, type ListSource } from "./list-source";
import type { OperationFilters } from "@/domain/lists/filters";

const COLUMNS = [
  "operation_id",
  "key",
  "operation",
  "state",
  "client",
  "account",
  "reference",
  "amount",
  "currency",
  "error_code",
  "http_status",
  "created_at",
  "requests",
  "answers",
  "chain",
] as const;

/** A row of a list, with what its answers and its chain are drawn from, where a file wants them. */
interface Stripped<Row> {
  readonly row: Row;
  readonly strip: OperationSparklineRow | undefined;
}

/** One statement more for a whole page, and none where no column needs it. */
async function stripped<Row extends Omit<OperationListRow, "sort_value">>(
  q: Queryable,
  tenantId: string,
  rows: readonly Row[],
  wanted: ReadonlySet<string> | undefined,
): Promise<Stripped<Row>[]> {
  const oldest = rows.map((row) => row.created_at).sort()[0];
  const sparklines =
    oldest === undefined || !wants(wanted, "requests", "answers", "chain")
      ? []
      : await selectOperationSparklines(
          q,
          tenantId,
          rows.map((row) => row.operation_id),
          oldest,
        );
  const byId = new Map(sparklines.map((sparkline) => [sparkline.operation_id, sparkline]));
  return rows.map((row) => ({ row, strip: byId.get(row.operation_id) }));
}

function cellsOf({ row, strip }: Stripped<Omit<OperationListRow, "sort_value">>): readonly ExportCell[] {
  const { amount_minor: minor, currency } = row;
  return [
    row.operation_id,
    row.key,
    row.operation,
    shownState(row),
    row.client,
    row.account_id,
    row.reference,
    minor === null || currency === null ? null : formatAmount(minor, currency),
    currency,
    row.error_code,
    row.response_status,
    row.created_at,
    strip?.answers_total ?? null,
    strip === undefined ? null : strip.answers.join(" "),
    strip === undefined ? null : chainWords(buildMiniChain(chainFacts({ ...row, sort_value: "" }, strip))),
  ];
}

/** The list of operations with its filters, in its order. */
export function operationsSource(tenantId: string, filters: OperationFilters): ListSource<Stripped<OperationListRow>> {
  return {
    columns: COLUMNS,
    direction: filters.direction,
    read: async (q, page, wanted) => stripped(q, tenantId, await selectOperations(q, tenantId, filters, page), wanted),
    place: ({ row }) => ({ value: row.sort_value, id: row.operation_id }),
    cells: cellsOf,
  };
}

interface Doubtful extends Stripped<AttentionDbRow> {
  /** In words, as the queue says it. */
  readonly known: string | undefined;
}

/** What is unknown and stale, by age × amount as it was when the export began. */
export function attentionSource(tenantId: string): ListSource<Doubtful> {
  let moment: string | undefined;
  return {
    columns: [...COLUMNS, "doubt_since", "known", "checks", "last_finding", "next_check_at", "assigned_to"],
    direction: "desc",
    async read(q, { limit, cursor }, wanted) {
      const asOf = (moment ??= (await resolveWindow(q, { range: "all" })).until);
      const after = cursor === undefined ? undefined : { weight: cursor.value, id: cursor.id, back: false };
      const rows = await selectAttention(q, tenantId, { limit, asOf, after });
      const known = wants(wanted, "known") ? await attentionRows(q, tenantId, rows) : [];
      return (await stripped(q, tenantId, rows, wanted)).map((each, at) => ({ ...each, known: known[at]?.known }));
    },
    place: ({ row }) => ({ value: row.weight, id: row.operation_id }),
    cells: ({ row, strip, known }) => [
      ...cellsOf({ row, strip }),
      row.since,
      known ?? null,
      row.checks,
      row.last_finding,
      row.next_check_at,
      row.assigned_to,
    ],
  };
}
