import { selectAudit } from "@/db/audit/select-audit";
import { selectConflictRows } from "@/db/exports/select-conflict-rows";
import { selectPlans } from "@/db/plans/select-plans";
import { planRow } from "@/console/plans/plan-rows";
import { auditRow } from "@/console/read/messages/message-rows";
import { differingOf } from "@/console/read/operations/conflict-groups";
import type { ListSource } from "./list-source";
import type { AuditFilters, ConflictFilters, PlanFilters } from "@/domain/lists/filters";

/** Conflicts one by one. */
export function conflictsSource(tenantId: string, filters: ConflictFilters): ListSource<"conflicts"> {
  return {
    direction: "desc",
    read: async (q, page) =>
      (await selectConflictRows(q, tenantId, filters, page)).map((row) => ({
        record: { ...row, differing: differingOf(row) },
        place: { value: row.at, id: row.id },
      })),
  };
}

/** Plans with whoever acted as it was kept: names change, files do not. */
export function plansSource(tenantId: string, filters: PlanFilters): ListSource<"plans"> {
  return {
    direction: "desc",
    read: async (q, page) =>
      (await selectPlans(q, tenantId, filters, page)).map((row) => ({
        record: { ...planRow(row, [], new Map()), endedBy: row.endedBy },
        place: { value: row.createdAt, id: row.id },
      })),
  };
}

/** Entries of the audit as the list has them: before and after stay on the entry's page. */
export function auditSource(tenantId: string, filters: AuditFilters): ListSource<"audit"> {
  return {
    direction: "desc",
    read: async (q, page) =>
      (await selectAudit(q, tenantId, filters, page)).map((row) => ({
        // The list leaves out an address that is the name already; a file does not.
        record: { ...auditRow(row), actorEmail: row.actorEmail },
        place: { value: row.at, id: row.sequence },
      })),
  };
}
