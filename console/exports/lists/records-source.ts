import { selectAudit, type AuditDbRow } from "@/db/audit/select-audit";
import { selectConflictRows, type ConflictExportRow } from "@/db/exports/select-conflict-rows";
import { type PlanDbRow, selectPlans } from "@/db/plans/select-plans";
import { scopeWords } from "@/presentation/plan/plan-words";
import { differingOf } from "@/console/read/operations/conflict-groups";
import type { ListSource } from "./list-source";
import type { AuditFilters, ConflictFilters, PlanFilters } from "@/domain/lists/filters";

/** Conflicts one by one: names of the fields that differ, never their values. */
export function conflictsSource(tenantId: string, filters: ConflictFilters): ListSource<ConflictExportRow> {
  return {
    columns: ["event_id", "at", "client", "operation", "operation_id", "differing_fields", "http_status", "request_id"],
    direction: "desc",
    read: (q, page) => selectConflictRows(q, tenantId, filters, page),
    place: (row) => ({ value: row.at, id: row.id }),
    cells: (row) => [
      row.id,
      row.at,
      row.client,
      row.operation,
      row.operation_id,
      differingOf(row).join(" "),
      row.status,
      row.request_id,
    ],
  };
}

export function plansSource(tenantId: string, filters: PlanFilters): ListSource<PlanDbRow> {
  return {
    columns: [
      "plan_id",
      "kind",
      "state",
      "rows",
      "reason",
      "created_at",
      "created_by",
      "decided_at",
      "decided_by",
      "decision_reason",
      "started_at",
      "started_by",
      "ended_at",
      "ended_by",
      "scope",
    ],
    direction: "desc",
    read: (q, page) => selectPlans(q, tenantId, filters, page),
    place: (row) => ({ value: row.created_at, id: row.id }),
    cells: (row) => [
      row.id,
      row.kind,
      row.state,
      row.total,
      row.reason,
      row.created_at,
      row.created_by,
      row.decided_at,
      row.decided_by,
      row.decision_reason,
      row.started_at,
      row.started_by,
      row.ended_at,
      row.ended_by,
      scopeWords(row.filter),
    ],
  };
}

/** Entries of the audit as the list has them: before and after stay on the entry's page. */
export function auditSource(tenantId: string, filters: AuditFilters): ListSource<AuditDbRow> {
  return {
    columns: [
      "sequence",
      "entry_id",
      "at",
      "actor_kind",
      "actor",
      "actor_email",
      "action",
      "subject_type",
      "subject_id",
      "reason",
    ],
    direction: "desc",
    read: (q, page) => selectAudit(q, tenantId, filters, page),
    place: (row) => ({ value: row.at, id: row.sequence.toString() }),
    cells: (row) => [
      row.sequence.toString(),
      row.id,
      row.at,
      row.actor_kind,
      row.actor_name,
      row.actor_email,
      row.action,
      row.subject_type,
      row.subject_id,
      row.reason,
    ],
  };
}
