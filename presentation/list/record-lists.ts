import type { AuditRow } from "@/presentation/views/audit";
import type { PlanRow } from "@/presentation/views/plans";
import { declareList, SENTENCE } from "./columns";

type PlanFacts =
  | "createdAt"
  | "createdBy"
  | "decidedAt"
  | "decidedBy"
  | "decisionReason"
  | "startedAt"
  | "startedBy"
  | "endedAt"
  | "endedBy";

export const PLANS = declareList<Pick<PlanRow, "id" | "kind" | "state" | "scope" | "reason" | "total" | PlanFacts>>()({
  id: "plan_id",
  fields: {
    plan_id: (row) => row.id,
    kind: (row) => row.kind,
    state: (row) => row.state,
    rows: (row) => row.total,
    reason: (row) => row.reason,
    created_at: (row) => row.createdAt,
    created_by: (row) => row.createdBy,
    decided_at: (row) => row.decidedAt,
    decided_by: (row) => row.decidedBy,
    decision_reason: (row) => row.decisionReason,
    started_at: (row) => row.startedAt,
    started_by: (row) => row.startedBy,
    ended_at: (row) => row.endedAt,
    ended_by: (row) => row.endedBy,
    scope: (row) => row.scope,
  },
  columns: {
    state: { label: "State", phone: "left", fields: ["state"] },
    what: {
      label: "What it does",
      phone: "left",
      link: true,
      wrap: true,
      grow: true,
      fields: ["kind", "scope", "reason"],
    },
    progress: { label: "Ended", phone: "left", choice: "on", fields: ["started_at", "ended_at"] },
    rows: { label: "Rows", align: "right", phone: "right", fields: ["rows"] },
    by: { label: "Asked by", phone: "right", choice: "on", fields: ["created_by"] },
    age: { label: "Made", align: "right", phone: "right", fields: ["created_at"] },
  },
});

export const AUDIT = declareList<AuditRow>()({
  id: "entry_id",
  fields: {
    sequence: (row) => row.sequence,
    entry_id: (row) => row.id,
    at: (row) => row.at,
    actor_kind: (row) => row.actorKind,
    actor: (row) => row.actorName,
    actor_email: (row) => row.actorEmail,
    action: (row) => row.action,
    subject_type: (row) => row.subjectType,
    subject_id: (row) => row.subjectId,
    reason: (row) => row.reason,
  },
  columns: {
    at: { label: "When", phone: "right", fields: ["at"] },
    who: { label: "Who", phone: "left", wrap: true, fields: ["actor_kind", "actor", "actor_email"] },
    action: { label: "Action", phone: "left", link: true, wrap: true, fields: ["action"] },
    subject: {
      label: "On what",
      phone: "right",
      wrap: true,
      choice: "on",
      fields: ["subject_type", "subject_id"],
    },
    reason: { label: "Reason", ...SENTENCE, choice: "on", fields: ["reason"] },
    sequence: { label: "Entry", align: "right", wide: true, choice: "off", fields: ["sequence"] },
  },
});
