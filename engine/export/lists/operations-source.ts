import { selectAttention, type AttentionDbRow } from "@/db/queries/console/select-attention";
import { selectOperations, type OperationListRow } from "@/db/queries/console/select-operations";
import { resolveWindow } from "@/db/queries/export/resolve-window";
import type { OperationFilters } from "@/domain/filters/operations";
import { formatAmount } from "@/domain/money";
import { shownState } from "../../read/operation-row";
import type { ExportCell, ListSource } from "./list-source";

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
] as const;

function cellsOf(row: Omit<OperationListRow, "sort_value">): readonly ExportCell[] {
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
  ];
}

/** The list of operations with its filters, in its order. */
export function operationsSource(tenantId: string, filters: OperationFilters): ListSource<OperationListRow> {
  return {
    columns: COLUMNS,
    direction: filters.direction,
    read: (q, page) => selectOperations(q, tenantId, filters, page),
    place: (row) => ({ value: row.sort_value, id: row.operation_id }),
    cells: cellsOf,
  };
}

/** What is unknown and stale, by age × amount as it was when the export began. */
export function attentionSource(tenantId: string): ListSource<AttentionDbRow> {
  let moment: string | undefined;
  return {
    columns: [...COLUMNS, "doubt_since", "checks", "last_finding", "next_check_at"],
    direction: "desc",
    async read(q, { limit, cursor }) {
      const asOf = (moment ??= (await resolveWindow(q, { range: "all" })).until);
      const after = cursor === undefined ? undefined : { weight: cursor.value, id: cursor.id, back: false };
      return selectAttention(q, tenantId, { limit, asOf, after });
    },
    place: (row) => ({ value: row.weight, id: row.operation_id }),
    cells: (row) => [...cellsOf(row), row.since, row.checks, row.last_finding, row.next_check_at],
  };
}
