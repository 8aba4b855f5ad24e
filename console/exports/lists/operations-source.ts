import { resolveWindow } from "@/db/exports/window";
import { only } from "@/db/query";
import { selectAttention } from "@/db/operations/select-attention";
import { selectOperations } from "@/db/operations/select-operations";
import { attentionRow } from "@/console/read/operations/attention-rows";
import { operationRow, sparklinesOf, type SparklineById } from "@/console/read/operations/operation-row";
import { wants, type ListSource } from "./list-source";
import type { OperationFilters } from "@/domain/lists/filters";

const NO_SPARKLINES: SparklineById = new Map();

/** The list of operations with its filters, in its order: one statement more for a page where a column needs it. */
export function operationsSource(tenantId: string, filters: OperationFilters): ListSource<"operations"> {
  return {
    direction: filters.direction,
    async read(q, page, wanted, kinds) {
      const rows = await selectOperations(q, tenantId, filters, page);
      const drawn = wants(wanted, "requests", "answers", "chain");
      const sparklines = drawn ? await sparklinesOf(q, tenantId, rows) : NO_SPARKLINES;
      return rows.map((row) => ({
        record: {
          ...operationRow(row, sparklines.get(row.operationId), kinds),
          ...only(row, "currency", "responseStatus"),
        },
        place: { value: row.sortValue, id: row.operationId },
      }));
    },
  };
}

/** What is unknown and stale, by age × amount as it was when the export began. */
export function attentionSource(tenantId: string): ListSource<"attention"> {
  let moment: string | undefined;
  return {
    direction: "desc",
    async read(q, { limit, cursor }, wanted, kinds) {
      const asOf = (moment ??= (await resolveWindow(q, { range: "all" })).until);
      const after = cursor === undefined ? undefined : { weight: cursor.value, id: cursor.id, back: false };
      const rows = await selectAttention(q, tenantId, { limit, asOf, after });
      const drawn = wants(wanted, "known", "requests", "answers", "chain");
      const sparklines = drawn ? await sparklinesOf(q, tenantId, rows) : NO_SPARKLINES;
      return rows.map((row) => ({
        record: {
          ...attentionRow(row, sparklines.get(row.operationId), kinds),
          ...only(row, "currency", "responseStatus", "lastFinding"),
        },
        place: { value: row.weight, id: row.operationId },
      }));
    },
  };
}
