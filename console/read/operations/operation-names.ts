import type { OperationDetailRow } from "@/db/operations/select-operation";
import type { OperationNamesRow } from "@/db/operations/select-operation-names";
import type { EntryDbRow } from "@/db/evidence/select-entries";
import type { ProviderCallDbRow } from "@/db/provider/provider-calls";
import { providerOfKind, type OperationKind } from "@/domain/operation-kind";
import type { InboxState, OutboxState } from "@/domain/idempotency/states";
import type { OperationPolicy } from "@/domain/idempotency/policy";
import {
  GIVE_UP_ASKING_HOURS,
  onlyAPersonSettles,
  REFERENCE_BY_HAND,
  sentAgainForHours,
  type ProviderFacts,
} from "@/domain/idempotency/provider-capabilities";
import { keyRetry } from "@/presentation/operation/key-retry";
import type { NamedFact, NamedId } from "@/presentation/views/operations";

const TOLD_LABELS: Readonly<Record<string, string>> = {
  receipt: "Receipt key",
  notice: "Notice key",
  webhook: "Webhook key",
};

interface Messages {
  readonly outbox: readonly { readonly state: OutboxState }[];
  readonly inbox: readonly { readonly state: InboxState }[];
}

/** Every name this operation has, all of them stable: the same on each attempt and each recovery. */
export function actorNamesOf(
  row: OperationDetailRow,
  parts: {
    readonly about: OperationKind;
    readonly names: readonly OperationNamesRow[];
    readonly ledger: readonly EntryDbRow[];
    readonly calls: readonly ProviderCallDbRow[];
    /** A person settled it. */
    readonly byHand: boolean;
    /** Undefined: its own service decides. */
    readonly maxAttempts: number | undefined;
  } & Messages,
): NamedId[] {
  const made = parts.names.find((name) => !name.told);
  const names: NamedId[] = [
    { label: "Client key", value: row.key },
    { label: "Operation", value: row.operationId },
  ];
  if (made !== undefined) names.push({ label: madeLabel(made.kind, parts.about), value: made.id });
  else if (row.resourceId !== undefined)
    names.push({ label: madeLabel(row.resourceType ?? "Resource", parts.about), value: row.resourceId });
  if (parts.about.path === "provider" || parts.calls.length > 0) {
    // The journal outlives a row that was taken back, and knows a reference before the row does.
    const providerKey = made?.providerKey ?? row.providerKey ?? parts.calls.at(-1)?.providerKey;
    const named = parts.calls.findLast(
      (call) => call.providerKey === providerKey && call.providerReference !== undefined,
    );
    const kept = made?.providerReference === REFERENCE_BY_HAND ? undefined : made?.providerReference;
    const reference = kept ?? named?.providerReference;
    names.push({
      label: "Provider key",
      value: providerKey,
      none: providerKey === undefined ? "none, nothing was prepared" : undefined,
    });
    names.push({
      label: "Provider reference",
      value: reference,
      none: reference !== undefined ? undefined : parts.byHand ? "none, settled by hand" : noneOf(row, parts),
    });
    if (parts.about.runsIn !== "module") return names;
    const ledger = parts.ledger.map((entry): NamedId => ({ label: "Ledger entry", value: entry.id }));
    names.push(...(ledger.length > 0 ? ledger : [{ label: "Ledger entries", none: entriesNone(row, parts) }]));
    const receipts = parts.names.filter((name) => name.told);
    names.push(...receipts.map(({ kind, id }): NamedId => ({ label: TOLD_LABELS[kind] ?? kind, value: id })));
  }
  return names;
}

/** The label that its kind registered for such an effect, else its own word. */
function madeLabel(kind: string, { expects: { effect } }: OperationKind): string {
  return effect?.kind === kind ? effect.label : kind;
}

/** "none yet" only where the provider may still act: while it is open, or while the same key may run again. */
function noneOf(row: OperationDetailRow, { maxAttempts }: { readonly maxAttempts: number | undefined }): string {
  const open = row.state === "IN_PROGRESS" || row.state === "UNKNOWN_REQUIRES_RECOVERY";
  const retry = keyRetry({ ...row, maxAttempts });
  return open || retry === "runs" || retry === "its service decides" ? "none yet" : "none";
}

/** An effect is posted when its event is handled, however late: a dead message may be requeued. */
function entriesNone(
  row: OperationDetailRow,
  { outbox, inbox, maxAttempts }: Messages & { readonly maxAttempts: number | undefined },
): string {
  if (row.state !== "COMPLETED" && row.state !== "EXPIRED") return noneOf(row, { maxAttempts });
  const ended = ({ state }: Messages["inbox"][number]): boolean => state !== "recorded" && state !== "dead";
  const handled = inbox.length > 0 && inbox.every(ended);
  const none = outbox.every(({ state }) => state === "discarded" || (state === "published" && handled));
  return none || (row.responseStatus ?? FAILED) >= FAILED ? "none" : "none yet";
}

const FAILED = 400;

const REPLAYS: Readonly<Record<OperationDetailRow["replay"], string>> = {
  stored: "stored response",
  reference: "the resource as it is now",
  none: "by reference, the answer was too large to keep",
};

/** How this operation treats its key, in the words of the page. */
export function policyFacts(
  policy: OperationPolicy,
  row: OperationDetailRow,
  { about, calls }: { readonly about: OperationKind; readonly calls: readonly ProviderCallDbRow[] },
): NamedFact[] {
  const open = row.state === "IN_PROGRESS" || row.state === "UNKNOWN_REQUIRES_RECOVERY";
  const body =
    row.bodyPurgedAt !== undefined ? "purged" : open ? "never purged while open" : `${String(policy.bodyTtlHours)} h`;
  // Another service decides about its own keys; only its bodies are kept here.
  if (about.runsIn !== "module") {
    return [
      { label: "Decided by", value: "the service itself" },
      { label: "Body kept", value: body },
    ];
  }
  return [
    { label: "While running", value: whileRunning(policy) },
    { label: "Replay", value: REPLAYS[row.completedAt === undefined ? policy.replay : row.replay] },
    { label: "Another command", value: `${String(policy.mismatchStatus)}, nothing runs` },
    { label: "After its window", value: policy.expired === "reject" ? "410, nothing runs" : "runs again" },
    { label: "Lease", value: `${String(policy.leaseSeconds)} s` },
    ...(about.path === "provider"
      ? [{ label: "Give up asking", value: giveUp(providerOfKind(about, calls.at(-1)?.provider)) }]
      : []),
    { label: "Body kept", value: body },
  ];
}

/** What recovery does about a lost answer, and for how long. */
function giveUp(provider: ProviderFacts | undefined): string {
  if (provider === undefined || provider.queryable) return `${String(GIVE_UP_ASKING_HOURS)} h`;
  return onlyAPersonSettles(provider)
    ? "at once: it cannot be asked"
    : `never asked, sent again for ${String(sentAgainForHours(provider))} h`;
}

function whileRunning(policy: OperationPolicy): string {
  const later = `Retry-After ${String(policy.inProgressRetryAfter)}`;
  switch (policy.inFlight) {
    case "conflict":
      return `409, ${later}`;
    case "wait":
      return `waits up to ${String(policy.waitMs)} ms, then 409`;
    case "accepted":
      return `202, ${later}`;
  }
}
