import { isOurs, usesProvider } from "@/domain/operation-label";
import { aboutOpenAttempt, effectCalls, recordProvider } from "./operation-record";
import { whyNot, type Action } from "@/domain/access/permission";
import type { Role } from "@/domain/idempotency/states";
import type { ActionName, ActionView } from "../views/common";
import type { OperationJudged } from "../plan/operation-verdict";
import type { OperationRecord } from "../views/operations";

const LABELS: Readonly<Record<ActionName, string>> = {
  reconcile: "Ask the provider now",
  resolve_succeeded: "It succeeded",
  resolve_failed: "It failed",
  keep_waiting: "Keep waiting",
  release: "Release the key",
  purge_body: "Purge body",
  reveal_bodies: "Show bodies",
  send_again: "Send to provider again",
  requeue: "Requeue",
  pause: "Pause",
  resume: "Resume",
  route: "Change route",
  discard: "Discard",
  start_plan: "Start",
  decide_plan: "Approve",
  abort_plan: "Abort",
  rerun_plan: "Plan again",
};

export const CANNOT_BE_ASKED = "This provider cannot be asked.";
const NEVER_AGAIN = "Never offered: sending again is what this prevents.";
const NOT_OURS = "Another service owns this kind of operation: it asks and settles by itself.";

/** @param reason why not by the facts; a missing role is said first */
export function actionView(
  action: ActionName,
  role: Role | undefined,
  permission: Action,
  reason: string | undefined,
): ActionView {
  const because = whyNot(role, permission) ?? reason;
  return { action, label: LABELS[action], allowed: because === undefined, whyNot: because };
}

/**
 * What may be done to one operation now, and why the rest may not. Each action checks again when it runs.
 * @param purge what a plan of purges would say of it: one rule for one body and for many
 */
export function allowedActions(
  record: OperationRecord,
  role: Role | undefined,
  purge?: Pick<OperationJudged, "acts" | "why">,
): readonly ActionView[] {
  const settle = settleReason(record);
  return [
    actionView("reconcile", role, "operations.reconcile", reconcileReason(record)),
    actionView("resolve_succeeded", role, "operations.resolve", settle ?? contradicted(record, "failed")),
    actionView("resolve_failed", role, "operations.resolve", settle ?? contradicted(record, "succeeded")),
    actionView("keep_waiting", role, "operations.resolve", settle),
    actionView("release", role, "operations.release", releaseReason(record)),
    actionView(
      "purge_body",
      role,
      "operations.purge_body",
      purgeReason(record) ?? (purge?.acts === false ? purge.why : undefined),
    ),
    actionView("reveal_bodies", role, "bodies.reveal", record.bodyPurgedAt && "The body was purged."),
    { action: "send_again", label: LABELS.send_again, allowed: false, whyNot: NEVER_AGAIN },
  ];
}

function leaseHeld(record: OperationRecord): string | undefined {
  const { lockedUntil } = record;
  if (lockedUntil === undefined || Date.parse(lockedUntil) <= Date.parse(record.at)) return undefined;
  return `${record.owner ?? "An owner"} holds the lease until ${lockedUntil.slice(11, 19)} UTC.`;
}

function reconcileReason(record: OperationRecord): string | undefined {
  if (record.state !== "UNKNOWN_REQUIRES_RECOVERY" && record.state !== "STALE" && record.state !== "IN_PROGRESS")
    return "The outcome is known.";
  if (!isOurs(record.operation)) return NOT_OURS;
  if (recordProvider(record)?.queryable === false) return CANNOT_BE_ASKED;
  return leaseHeld(record);
}

/** Whether the key may be released: its owner is gone and nothing was sent. */
function releaseReason(record: OperationRecord): string | undefined {
  if (record.state === "IN_PROGRESS") return "Its owner is at work.";
  if (record.state !== "UNKNOWN_REQUIRES_RECOVERY" && record.state !== "STALE") return "The outcome is known.";
  if (!isOurs(record.operation)) return NOT_OURS;
  const before = record.stage === "RECEIVED" || record.stage === "LOCAL_PAYMENT_CREATED";
  if (!before || effectCalls(record).some((call) => call.state !== "prepared"))
    return "It was sent: its key stays until the outcome is known.";
  return leaseHeld(record);
}

function settleReason(record: OperationRecord): string | undefined {
  if (record.state !== "UNKNOWN_REQUIRES_RECOVERY" && record.state !== "STALE") {
    return record.state === "IN_PROGRESS" ? "Its owner is at work." : "The outcome is known.";
  }
  if (!isOurs(record.operation)) return NOT_OURS;
  if (!usesProvider(record.operation) || !effectCalls(record).some((call) => call.state !== "prepared"))
    return "Nothing was sent: recovery frees the key by itself.";
  return leaseHeld(record);
}

/** A decision against a final source is not offered: after a wrong "failed" the customer may pay twice. */
function contradicted(record: OperationRecord, says: "succeeded" | "failed"): string | undefined {
  const { provider, webhooks } = aboutOpenAttempt(record);
  if (webhooks.some((hook) => hook.says === says)) return `Not offered: a signed webhook says it ${says}.`;
  const word = says === "succeeded" ? "succeeded" : "declined";
  if (provider.some((call) => call.outcome === word)) return `Not offered: the provider said it ${says}.`;
  if (says === "succeeded" && record.ledger.length > 0) return "Not offered: the ledger has an entry for it.";
  return undefined;
}

function purgeReason(record: OperationRecord): string | undefined {
  if (record.bodyPurgedAt !== undefined) return "The body was purged.";
  if (record.state === "UNKNOWN_REQUIRES_RECOVERY") return "Not while unknown: the body is evidence.";
  return record.state === "IN_PROGRESS" || record.state === "STALE" ? "Not while it is open." : undefined;
}
