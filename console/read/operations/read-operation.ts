import { only } from "@/db/query";
import { readWithin } from "@/db/sql-text";
import { selectAuditOfSubject } from "@/db/audit/select-audit";
import { selectBody } from "@/db/bodies/bodies";
import { selectInboxOfOperation } from "@/db/inbox/select-inbox";
import { selectLedgerEntries } from "@/db/payments/ledger-entries";
import { selectOperation } from "@/db/operations/select-operation";
import { OPERATION_EVENTS, selectOperationEvents } from "@/db/operations/select-operation-events";
import { selectOperationNames } from "@/db/operations/select-operation-names";
import { selectNotifications } from "@/db/payments/notifications";
import { selectOutboxOfOperation } from "@/db/outbox/select-outbox";
import { selectProviderCalls } from "@/db/provider/provider-calls";
import type { Queryable } from "@/db/client";
import { allowedActions } from "@/presentation/operation/allowed-actions";
import type { CanonicalCommand } from "@/domain/idempotency/canonical";
import { buildChain } from "@/presentation/operation/build-chain";
import { buildTimeline } from "@/presentation/operation/build-timeline";
import { gatherEvidence } from "@/presentation/operation/evidence";
import { UUID } from "@/domain/uuid";
import { moneyView } from "@/presentation/operation/money-view";
import { operationKind } from "@/domain/operation-label";
import type { OperationPolicy } from "@/domain/idempotency/policy";
import { operationVerdict } from "@/presentation/operation/verdict";
import type { OperationDetail, OperationRecord } from "@/presentation/views/operations";
import type { EngineContext } from "@/engine/context";
import { commandView, openCommand } from "./command-view";
import { notificationRow } from "../messages/message-context";
import { auditRow, inboxRow, outboxRow } from "../messages/message-rows";
import { leaseRows, requestRows } from "./operation-history";
import { actorNamesOf, policyFacts } from "./operation-names";
import { elapsedMs, shownState } from "./operation-row";
import { eventRow, ledgerRow, providerCallRow } from "./operation-parts";
import { requirePermission, roleOf } from "@/engine/actions/require";
import { webhookFacts } from "../messages/webhook-facts";

const ANSWERS_DRAWN = 12;

/**
 * Everything one operation's page shows.
 * @returns undefined when this tenant has no such operation
 * @throws AppError `auth.forbidden` 403, `dependency.timeout` 504
 */
export async function readOperation(
  ctx: EngineContext,
  input: { operationId: string },
): Promise<OperationDetail | undefined> {
  requirePermission(ctx, "operations.read");
  if (!UUID.test(input.operationId)) return undefined;
  const read = await readWithin(ctx.db, "detail", (q) => readParts(ctx, q, input.operationId));
  if (read === undefined) return undefined;
  const { row } = read;
  const subject = { operation: row.operation, key: row.key, operationId: row.operationId };
  const policy = await ctx.policies.of(ctx.tenantId, { name: row.operation, policy: {} });
  return detail(ctx, read, await openCommand(ctx, subject, read.command, "command"), policy);
}

type Parts = Exclude<Awaited<ReturnType<typeof readParts>>, undefined>;

async function readParts(ctx: EngineContext, q: Queryable, operationId: string) {
  const row = await selectOperation(q, ctx.tenantId, operationId);
  if (row === undefined) return undefined;
  return {
    row,
    events: await selectOperationEvents(q, ctx.tenantId, operationId, row.createdAt),
    calls: await selectProviderCalls(q, ctx.tenantId, operationId),
    outbox: await selectOutboxOfOperation(q, ctx.tenantId, operationId, row.createdAt),
    inbox: await selectInboxOfOperation(q, ctx.tenantId, operationId),
    notifications: await selectNotifications(q, ctx.tenantId, operationId),
    ledger: await selectLedgerEntries(q, ctx.tenantId, operationId),
    audit: await selectAuditOfSubject(q, ctx.tenantId, "operation", operationId),
    names: await selectOperationNames(q, ctx.tenantId, operationId),
    command: await selectBody(q, ctx.tenantId, row.bodyDay, operationId, "command"),
  };
}

function detail(
  ctx: EngineContext,
  parts: Parts,
  command: CanonicalCommand | undefined,
  policy: OperationPolicy,
): OperationDetail {
  const { row } = parts;
  const events = parts.events.slice(0, OPERATION_EVENTS);
  const record = recordOf(parts);
  const requests = record.requests;
  return {
    ...only(row, "account", "reference", "expiresAt", "assignedTo", "attempts"),
    kind: operationKind(row.operation),
    ageMs: elapsedMs(row.createdAt, row.at),
    ...record,
    ...messagesOf(parts),
    verdict: operationVerdict(record),
    chain: buildChain(record),
    lanes: buildTimeline(record),
    answers: { answers: requests.slice(0, ANSWERS_DRAWN).map((request) => request.outcome), total: requests.length },
    evidence: gatherEvidence(record),
    names: actorNamesOf(row, parts),
    policy: policyFacts(policy, row, parts.calls),
    command: commandView(row, command, parts.command),
    audit: parts.audit.map(auditRow),
    events: events.map(eventRow),
    eventsTotal: parts.events.length,
    actions: allowedActions(record, roleOf(ctx.actor)),
    secondPersonFrom: undefined,
  };
}

function messagesOf(parts: Parts): Pick<OperationDetail, "outbox" | "notifications"> {
  const outbox = parts.outbox.map((each) => outboxRow(each));
  return { outbox, notifications: parts.notifications.map((each) => notificationRow(each, outbox)) };
}

function recordOf(parts: Parts): OperationRecord {
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
    ...only(row, "completedAt", "unknownSince", "nextCheckAt", "bodyPurgedAt", "fence", "owner", "lockedUntil"),
    ...only(row, "checks", "lastFinding", "replay"),
    state: shownState(row),
    money: moneyView(row.amountMinor, row.currency),
    requests,
    requestsTotal: requests.length,
    eventsCut: parts.events.length > OPERATION_EVENTS,
    leases: leaseRows(row, parts.events),
    provider: parts.calls.map(providerCallRow),
    // Notifications are left out: the chain and the verdict are about the operation's own events.
    outbox: parts.outbox.filter((each) => !each.notification).map((each) => outboxRow(each)),
    inbox: parts.inbox.map(inboxRow),
    ledger: parts.ledger.map(ledgerRow),
    webhooks: webhookFacts(parts.inbox),
  };
}
