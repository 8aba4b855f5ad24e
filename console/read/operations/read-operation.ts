import { only } from "@/db/query";
import { readWithin } from "@/db/bounded-read";
import { selectAuditOfSubject } from "@/db/audit/select-audit";
import { selectBody } from "@/db/bodies/bodies";
import { OPERATION_EVENTS } from "@/db/operations/select-operation-events";
import { selectOperationNames } from "@/db/operations/select-operation-names";
import { selectOperatorRequests } from "@/db/recovery/operator-requests";
import { requestWords } from "@/presentation/operation/service-request";
import { selectNotifications } from "@/db/notifications/notifications";
import type { Queryable } from "@/db/client";
import { allowedActions } from "@/presentation/operation/allowed-actions";
import type { CanonicalCommand } from "@/domain/idempotency/canonical";
import { buildChain } from "@/presentation/operation/build-chain";
import { buildTimeline } from "@/presentation/operation/build-timeline";
import { gatherEvidence } from "@/presentation/operation/evidence";
import { UUID } from "@/domain/uuid";
import { isLeft, namingOf, type OperationKinds } from "@/domain/operation-kind";
import type { OperationPolicy } from "@/domain/idempotency/policy";
import { shownAnswer } from "@/presentation/operation/shown-answer";
import { operationVerdict } from "@/presentation/operation/verdict";
import type { OperationDetail } from "@/presentation/views/operations";
import { secondPersonLimit } from "@/presentation/plan/plan-approval";
import type { EngineContext } from "@/engine/context";
import { commandView, openCommand } from "./command-view";
import { notificationRow } from "../messages/message-context";
import { auditRow, outboxRow } from "../messages/message-rows";
import { actorNamesOf, policyFacts } from "./operation-names";
import { elapsedMs } from "./operation-row";
import { eventRow } from "./operation-parts";
import { readRecordParts, recordOf } from "./read-record";
import { judgeOperation, JUDGES } from "@/console/plans/operation-plans";
import { requirePermission, roleOf } from "@/engine/actions/require";

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
  const kinds = await ctx.kinds.all();
  const read = await readWithin(ctx.db, "detail", (q) => readParts(ctx, q, input.operationId, kinds));
  if (read === undefined) return undefined;
  const { row } = read;
  const subject = { operation: row.operation, key: row.key, operationId: row.operationId };
  const policy = await ctx.policies.of(ctx.tenantId, { name: row.operation, policy: {} });
  return detail(ctx, read, await openCommand(ctx, subject, read.command, "command"), policy);
}

type Parts = Exclude<Awaited<ReturnType<typeof readParts>>, undefined>;

async function readParts(ctx: EngineContext, q: Queryable, operationId: string, kinds: OperationKinds) {
  const parts = await readRecordParts(ctx, q, operationId, kinds);
  if (parts === undefined) return undefined;
  const { row, about } = parts;
  const { owner, runsIn } = about;
  const service = runsIn === "service" && owner !== "" ? owner : undefined;
  return {
    ...parts,
    service,
    asked: service === undefined ? undefined : await selectOperatorRequests(q, ctx.tenantId, operationId),
    notifications: await selectNotifications(q, ctx.tenantId, operationId),
    audit: await selectAuditOfSubject(q, ctx.tenantId, "operation", operationId),
    names: await selectOperationNames(q, ctx.tenantId, operationId),
    command: await selectBody(q, ctx.tenantId, row.bodyDay, operationId, "command"),
    purge: await judgeOperation(q, ctx, JUDGES.purge, operationId),
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
  const ours = parts.about.runsIn === "module";
  const serviceRequests = parts.asked?.map((each) => ({ ...each, words: requestWords(each) }));
  const record = { ...recordOf(parts), maxAttempts: ours ? policy.maxAttempts : undefined, serviceRequests };
  const { about, requests, ...shown } = record;
  const { expects } = about;
  return {
    ...only(row, "account", "reference", "assignedTo"),
    ...namingOf(about),
    registeredBy: about.owner,
    runsIn: about.runsIn,
    service: parts.service,
    leaves: { event: isLeft(expects.event), entry: isLeft(expects.entry), money: expects.money },
    ageMs: elapsedMs(row.createdAt, row.at),
    ...shown,
    requests,
    ...messagesOf(parts),
    verdict: operationVerdict(record),
    chain: buildChain(record),
    lanes: buildTimeline(record),
    answers: { answers: requests.slice(0, ANSWERS_DRAWN).map(shownAnswer), total: requests.length },
    evidence: gatherEvidence(record),
    names: actorNamesOf(row, { ...parts, byHand: record.settledByHand !== undefined, maxAttempts: record.maxAttempts }),
    policy: policyFacts(policy, row, parts),
    command: commandView(row, command, parts.command),
    audit: parts.audit.map(auditRow),
    events: events.map(eventRow),
    eventsTotal: parts.events.length,
    actions: allowedActions(record, roleOf(ctx), parts.purge),
    secondPersonFrom: secondPersonLimit(row),
  };
}

function messagesOf(parts: Parts): Pick<OperationDetail, "outbox" | "notifications"> {
  const outbox = parts.outbox.map((each) => outboxRow(each));
  return { outbox, notifications: parts.notifications.map((each) => notificationRow(each, outbox)) };
}
