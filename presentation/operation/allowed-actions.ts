import { writtenClock } from "@/domain/written-time";
import { aboutOpenAttempt, effectCalls, recordProvider } from "./operation-record";
import { holding, type PageClaim } from "@/domain/page-claim";
import { whyNot, type Action } from "@/domain/access/permission";
import type { Role } from "@/domain/idempotency/states";
import type { OperationKind, OperatorAction } from "@/domain/operation-kind";
import type { ActionName, ActionView } from "../views/common";
import { openRequest, serviceRefusal } from "./service-request";
import type { OperationJudged } from "../plan/operation-verdict";
import type { OperationRecord } from "../views/operations";

const LABELS: Readonly<Record<ActionName, string>> = {
  reconcile: "Ask the provider now",
  resolve_succeeded: "It succeeded",
  resolve_failed: "It failed",
  keep_waiting: "Keep waiting",
  release: "Release the key",
  withdraw_request: "Withdraw the request",
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
  ask_plan: "Ask again",
  correct: "Edit and requeue",
  republish: "Publish again",
  reveal_difference: "Show values",
};

export const CANNOT_BE_ASKED = "This provider cannot be asked.";
const NEVER_AGAIN = "Never offered: only recovery sends it again, where that cannot repeat an effect.";
const NOT_OURS = "Another service owns this kind of operation: it asks and settles by itself.";

/** Why asking the provider is offered to nobody, in the queue; the page of the operation has more reasons. */
export function whyNotAsked(
  about: OperationKind,
  facts: { readonly queryable: boolean | undefined; readonly asked: boolean },
): string | undefined {
  if (about.runsIn === "service" && about.owner === "") return NOT_OURS;
  const refused = refusalOf(about, "reconcile", facts.asked);
  return refused ?? (facts.queryable === false ? CANNOT_BE_ASKED : undefined);
}

/** @returns why a service that registered a kind is not asked to do this; undefined where it is, or where nobody is asked */
function refusalOf(
  { runsIn, owner, actions }: OperationKind,
  action: OperatorAction,
  asked: boolean,
): string | undefined {
  if (runsIn !== "service" || owner === "") return undefined;
  return serviceRefusal({ service: owner, offered: actions.includes(action), asked });
}

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
  const view = (action: keyof typeof REASONS, permission: Action, otherwise?: string): ActionView =>
    actionView(action, role, permission, holding(REASONS[action], record)[0]?.words(record) ?? otherwise);
  return [
    view("reconcile", "operations.reconcile"),
    view("resolve_succeeded", "operations.resolve"),
    view("resolve_failed", "operations.resolve"),
    view("keep_waiting", "operations.resolve"),
    view("release", "operations.release"),
    ...(ofService(record) ? [view("withdraw_request", "operations.withdraw_request")] : []),
    view("purge_body", "operations.purge_body", purge?.acts === false ? purge.why : undefined),
    view("reveal_bodies", "bodies.reveal"),
    { action: "send_again", label: LABELS.send_again, allowed: false, whyNot: NEVER_AGAIN },
  ];
}

type Reason = PageClaim<OperationRecord>;
const reason = (name: string, holds: Reason["holds"], words: string | Reason["words"]): Reason => ({
  name,
  holds,
  words: typeof words === "string" ? () => words : words,
});

/** Whether a service that registered its kind is asked, instead of acting here. */
function ofService({ about }: OperationRecord): boolean {
  return about.runsIn === "service" && about.owner !== "";
}
const inDoubt = ({ state }: OperationRecord): boolean => state === "UNKNOWN_REQUIRES_RECOVERY" || state === "STALE";
const inProgress = ({ state }: OperationRecord): boolean => state === "IN_PROGRESS";
const sent = (record: OperationRecord): boolean => effectCalls(record).some((call) => call.state !== "prepared");
const webhookSays =
  (says: "succeeded" | "failed") =>
  (record: OperationRecord): boolean =>
    aboutOpenAttempt(record).webhooks.some((hook) => hook.says === says);
const providerSays =
  (outcome: "succeeded" | "declined") =>
  (record: OperationRecord): boolean =>
    aboutOpenAttempt(record).provider.some((call) => call.outcome === outcome);

const KNOWN = reason("outcome_known", (it) => !inDoubt(it) && !inProgress(it), "The outcome is known.");
const NOT_OURS_REASON = reason("not_ours", ({ about }) => about.runsIn !== "module" && about.owner === "", NOT_OURS);
/** A service does what it registered for its kind, and one thing at a time. */
const notOffered = (action: OperatorAction): readonly Reason[] => {
  const refused = ({ about, serviceRequests }: OperationRecord): string | undefined =>
    refusalOf(about, action, openRequest(serviceRequests) !== undefined);
  return [
    NOT_OURS_REASON,
    reason(
      "service_refuses",
      (it) => refused(it) !== undefined,
      (it) => refused(it) ?? "",
    ),
  ];
};
const ELSEWHERE = reason("not_ours", ({ about }) => about.runsIn !== "module", NOT_OURS);
const LEASED = reason(
  "lease_held",
  ({ lockedUntil, at }) => lockedUntil !== undefined && Date.parse(lockedUntil) > Date.parse(at),
  ({ owner, lockedUntil }) => `${owner ?? "An owner"} holds the lease until ${writtenClock(lockedUntil ?? "")}.`,
);
const IN_PROGRESS = reason("in_progress", inProgress, "It is in progress.");
const UNSENT = reason(
  "nothing_sent",
  (it) => it.about.path !== "provider" || !sent(it),
  (it) =>
    ofService(it)
      ? "Nothing was sent: there is nothing to decide."
      : "Nothing was sent: recovery ends it without effect.",
);
const SETTLE: readonly Reason[] = [KNOWN, ...notOffered("resolve"), LEASED, IN_PROGRESS, UNSENT];

/** Why an action is not offered by the facts: the first that holds. An action without one is offered. */
export const REASONS = {
  reconcile: [
    KNOWN,
    ...notOffered("reconcile"),
    reason("cannot_be_asked", (it) => recordProvider(it)?.queryable === false, CANNOT_BE_ASKED),
    LEASED,
    IN_PROGRESS,
  ],
  // A decision against a final source is not offered: after a wrong "failed" the customer may pay twice.
  resolve_succeeded: [
    ...SETTLE,
    reason("webhook_failed", webhookSays("failed"), "Not offered: a signed webhook says it failed."),
    reason("provider_failed", providerSays("declined"), "Not offered: the provider said it failed."),
  ],
  resolve_failed: [
    ...SETTLE,
    reason("webhook_succeeded", webhookSays("succeeded"), "Not offered: a signed webhook says it succeeded."),
    reason("provider_succeeded", providerSays("succeeded"), "Not offered: the provider said it succeeded."),
    reason("posted", ({ ledger }) => ledger.length > 0, "Not offered: the ledger has an entry for it."),
  ],
  keep_waiting: [KNOWN, ELSEWHERE, LEASED, IN_PROGRESS, UNSENT],
  // Only where its owner is gone and nothing was sent.
  release: [
    KNOWN,
    ...notOffered("release"),
    reason(
      "was_sent",
      (it) => (it.stage !== "RECEIVED" && it.stage !== "LOCAL_PAYMENT_CREATED") || sent(it),
      "It was sent: its key stays until the outcome is known.",
    ),
    LEASED,
    IN_PROGRESS,
  ],
  withdraw_request: [
    reason("no_request", (it) => openRequest(it.serviceRequests) === undefined, "No request to its service is open."),
  ],
  purge_body: [
    reason("purged", ({ bodyPurgedAt }) => bodyPurgedAt !== undefined, "The body was purged."),
    reason("unknown", ({ state }) => state === "UNKNOWN_REQUIRES_RECOVERY", "Not while unknown: the body is evidence."),
    reason("open", (it) => inProgress(it) || inDoubt(it), "Not while it is open."),
  ],
  reveal_bodies: [reason("purged", ({ bodyPurgedAt }) => bodyPurgedAt !== undefined, "The body was purged.")],
} as const satisfies Readonly<Partial<Record<ActionName, readonly Reason[]>>>;
