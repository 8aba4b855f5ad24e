import type { Queryable } from "@/db/client";
import { selectInboxOfOperation } from "@/db/inbox/select-inbox";
import { type OperationDetailRow, selectOperation } from "@/db/operations/select-operation";
import {
  OPERATION_EVENTS,
  type OperationEventRow,
  selectLateDecisions,
  selectOperationEvents,
} from "@/db/operations/select-operation-events";
import { selectOutboxOfOperation } from "@/db/outbox/select-outbox";
import { selectEntries } from "@/db/evidence/select-entries";
import { selectProviderCalls } from "@/db/provider/provider-calls";
import { only } from "@/db/query";
import { kindOf, type OperationKinds } from "@/domain/operation-kind";
import type { EngineContext } from "@/engine/context";
import { handSettlementOf } from "@/presentation/operation/hand-settlement";
import { moneyView } from "@/presentation/operation/money-view";
import type { OperationRecord } from "@/presentation/views/operations";
import { inboxRow, outboxRow } from "../messages/message-rows";
import { openedArrivals } from "../messages/opened-arrivals";
import { member, webhookFacts } from "../messages/webhook-facts";
import { leaseRows, requestRows, stringList } from "./operation-history";
import { ledgerRow, providerCallRow } from "./operation-parts";
import { shownState } from "./operation-row";

type RecordParts = Exclude<Awaited<ReturnType<typeof readRecordParts>>, undefined>;

/** The rows that every sentence about an operation rests on. @returns undefined when this tenant has no such operation */
export async function readRecordParts(ctx: EngineContext, q: Queryable, operationId: string, kinds: OperationKinds) {
  const row = await selectOperation(q, ctx.tenantId, operationId);
  if (row === undefined) return undefined;
  const events = await selectOperationEvents(q, ctx.tenantId, operationId, row.createdAt);
  return {
    row,
    about: kindOf(kinds, row.operation),
    events,
    decisions: await decisionsOf(ctx, q, row, events),
    calls: await selectProviderCalls(q, ctx.tenantId, operationId),
    outbox: await selectOutboxOfOperation(q, ctx.tenantId, operationId, row.createdAt),
    inbox: await openedArrivals(ctx, await selectInboxOfOperation(q, ctx.tenantId, operationId)),
    ledger: await selectEntries(q, ctx.tenantId, operationId),
  };
}

/** Events in which a person decided; of a key that was retried more often than its page reads they may be among the last. */
async function decisionsOf(
  ctx: EngineContext,
  q: Queryable,
  { operationId, createdAt }: OperationDetailRow,
  events: readonly OperationEventRow[],
) {
  const late =
    events.length > OPERATION_EVENTS ? await selectLateDecisions(q, ctx.tenantId, operationId, createdAt) : [];
  return [...events.filter(({ type }) => type === "resolved"), ...late].map(({ detail: said, ...event }) => {
    const to = member(said, "to");
    return { ...event, to: typeof to === "string" ? to : undefined, evidence: stringList(member(said, "evidence")) };
  });
}

/** What verdict, chain, timeline, evidence and actions of an operation are computed from. */
export function recordOf(parts: RecordParts): OperationRecord {
  const { row } = parts;
  const requests = requestRows(parts.events.slice(0, OPERATION_EVENTS));
  return {
    ...only(
      row,
      "at",
      "operationId",
      "key",
      "operation",
      "stage",
      "client",
      "errorCode",
      "responseStatus",
      "createdAt",
    ),
    ...only(
      row,
      "completedAt",
      "unknownSince",
      "nextCheckAt",
      "bodyPurgedAt",
      "fence",
      "attempts",
      "owner",
      "lockedUntil",
    ),
    ...only(row, "checks", "lastFinding", "replay", "expiresAt"),
    about: parts.about,
    state: shownState(row),
    settledByHand: handSettlementOf(parts.decisions, row.fence),
    money: moneyView(row.amountMinor, row.currency),
    requests,
    requestsTotal: requests.length,
    eventsCut: parts.events.length > OPERATION_EVENTS,
    claimedFirst: parts.events.some(({ type }) => type === "claimed"),
    leases: leaseRows(row, parts.events),
    provider: parts.calls.map(providerCallRow),
    // Notifications are left out: the chain and the verdict are about the operation's own events.
    outbox: parts.outbox.filter((each) => !each.notification).map((each) => outboxRow(each)),
    inbox: parts.inbox.map(inboxRow),
    ledger: parts.ledger.map(ledgerRow),
    webhooks: webhookFacts(parts.inbox),
  };
}
