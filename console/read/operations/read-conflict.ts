import type { Queryable } from "@/db/client";
import { only } from "@/db/query";
import { readWithin } from "@/db/bounded-read";
import { selectBody } from "@/db/bodies/bodies";
import { selectConflict, selectConflictCommands, selectConflictMarks } from "@/db/conflicts/select-conflicts";
import {
  selectConflictGroups,
  type ConflictGroupRow,
  type ConflictWindow,
} from "@/db/conflicts/select-conflict-groups";
import { OPERATION_EVENTS } from "@/db/operations/select-operation-events";
import { canonicalCommand, type CanonicalCommand } from "@/domain/idempotency/canonical";
import { compareCommands, readShape, type Comparison, type FieldComparison } from "@/presentation/command/compare";
import {
  countPatterns,
  isMinorSlip,
  messageToClient,
  patternOf,
  patternOfFields,
  type PatternName,
} from "@/presentation/conflict/conflict-pattern";
import { conflictVerdict } from "@/presentation/conflict/conflict-verdict";
import { valuesNote } from "@/presentation/conflict/values-note";
import { shownAnswer } from "@/presentation/operation/shown-answer";
import { operationCase } from "@/presentation/operation/operation-case";
import { formatDay } from "@/presentation/format/display-time";
import { UUID } from "@/domain/uuid";
import { shortHash } from "@/presentation/command/mask";
import { parseAmount } from "@/domain/money";
import { moneyView } from "@/presentation/operation/money-view";
import { namingOf, type OperationKinds } from "@/domain/operation-kind";
import { can, whyNot } from "@/domain/access/permission";
import type { ConflictDetail } from "@/presentation/views/conflicts";
import { keptElsewhere } from "@/engine/bodies/body-keyring";
import type { EngineContext } from "@/engine/context";
import { openCommand } from "./command-view";
import { differingOf, groupView, markView } from "./conflict-groups";
import { requestRows, stringList } from "./operation-history";
import { elapsedMs, shownState } from "./operation-row";
import { readRecordParts, recordOf } from "./read-record";
import { requirePermission, roleOf } from "@/engine/actions/require";
import { member } from "../messages/webhook-facts";

const WEEK_MS = 604_800_000;
/** The newest conflicts of the group whose commands are opened: enough to see a pattern. */
const PATTERNS_READ = 20;

/**
 * One conflict: both commands opened and compared field by field. Values only for a role that may reveal bodies.
 * @returns undefined when this tenant has no such conflict
 */
export async function readConflict(
  ctx: EngineContext,
  input: { eventId: string },
): Promise<ConflictDetail | undefined> {
  requirePermission(ctx, "conflicts.read");
  if (!UUID.test(input.eventId)) return undefined;
  const kinds = await ctx.kinds.all();
  const parts = await readWithin(ctx.db, "detail", (q) => readParts(ctx, q, input.eventId, kinds));
  return parts === undefined ? undefined : detail(ctx, parts, await openAll(ctx, parts));
}

/** Milliseconds in front of a UUIDv7: which day an event lies in. */
function dayOf(uuid: string): string {
  const ms = Number.parseInt(uuid.replaceAll("-", "").slice(0, 12), 16);
  const at = new Date(ms);
  return Number.isNaN(at.getTime()) ? "1970-01-01" : at.toISOString().slice(0, 10);
}

/** The same command, refused again: what was sent under the key may be a third one. */
function isSameRefusal(
  each: { readonly id: string; readonly outcome?: string | undefined; readonly detail?: unknown },
  shown: { readonly id: string; readonly detail?: unknown },
): boolean {
  const hash = member(shown.detail, "payloadHash");
  const same = hash !== undefined && member(each.detail, "payloadHash") === hash;
  return each.id === shown.id || (each.outcome === "conflict" && same);
}

type Parts = Exclude<Awaited<ReturnType<typeof readParts>>, undefined>;

async function readParts(ctx: EngineContext, q: Queryable, eventId: string, kinds: OperationKinds) {
  const day = dayOf(eventId);
  if (!/^\d{4}-/.test(day)) return undefined;
  const event = await selectConflict(q, ctx.tenantId, eventId, day);
  const owner = event === undefined ? undefined : await readRecordParts(ctx, q, event.operationId, kinds);
  if (event === undefined || owner === undefined) return undefined;
  const { row, events } = owner;
  const { client, operation } = event;
  const [found] = await selectConflictGroups(q, ctx.tenantId, weekOf(event.at, row.at), { client, operation });
  const marks = found === undefined ? await selectConflictMarks(q, ctx.tenantId, { client, operation }) : [found];
  return {
    event,
    row,
    group: found === undefined ? undefined : groupView(found, kinds),
    mark: markView(marks[0], found?.newer ?? 0),
    owner: recordOf(owner),
    events,
    first: await selectBody(q, ctx.tenantId, row.bodyDay, row.operationId, "command"),
    commands: found === undefined ? [] : await commandsOf(q, ctx.tenantId, found),
  };
}

function commandsOf(q: Queryable, tenantId: string, { ids, firstAt, lastAt }: ConflictGroupRow) {
  const days = { first: firstAt.slice(0, 10), last: lastAt.slice(0, 10) };
  return selectConflictCommands(q, tenantId, ids.slice(0, PATTERNS_READ), days);
}

/** The last seven days; of a conflict that is older, those that begin with it. @param at,now RFC 3339 UTC */
function weekOf(at: string, now: string): ConflictWindow {
  const weekAgo = new Date(Date.parse(now) - WEEK_MS).toISOString();
  if (at >= weekAgo) return { from: weekAgo, until: now, open: true };
  return { from: at, until: new Date(Date.parse(at) + WEEK_MS).toISOString(), open: false };
}

function detail(ctx: EngineContext, parts: Parts, opened: Opened): ConflictDetail {
  const { event, row } = parts;
  const role = roleOf(ctx);
  const { one, two } = opened;
  const valuesShown = can(role, "bodies.reveal") && one !== undefined && two !== undefined;
  const compared = comparison(parts, one, two);
  const shown = (rows: readonly FieldComparison[]): readonly FieldComparison[] =>
    valuesShown ? rows : rows.map(({ field }) => ({ field }));
  const { group } = parts;
  const patterns = patternsOf(parts, opened);
  const requests = requestRows(parts.events);
  // Of a first request whose events are not kept any more, the conflicts say nothing.
  const started =
    requests.find(({ outcome }) => outcome === "executed") ?? requests.find(({ outcome }) => outcome !== "conflict");
  const fields = compared.meaning.map((each) => each.field);
  return {
    ...only(row, "at", "operationId", "key", "operation", "account", "reference"),
    eventId: event.id,
    ...namingOf(parts.owner.about),
    verdict: conflictVerdict({
      fields,
      first: operationCase(parts.owner),
      refused: parts.events.filter((each) => isSameRefusal(each, event)).length,
      more: parts.events.length > OPERATION_EVENTS,
      foreign: member(event.detail, "foreignPrincipal") === true,
    }),
    first: {
      at: row.createdAt,
      client: row.client,
      outcome: started === undefined ? "claimed" : shownAnswer({ ...started, status: row.responseStatus }),
      status: row.responseStatus,
      fingerprint: shortHash(row.fingerprint),
      state: shownState(row),
    },
    second: {
      ...only(event, "at", "client", "status"),
      outcome: "conflict",
      fingerprint: opened.secondFingerprint === undefined ? undefined : shortHash(opened.secondFingerprint),
    },
    laterMs: elapsedMs(row.createdAt, event.at),
    sameClient: row.client === event.client,
    valuesShown,
    valuesNote: valuesShown ? undefined : (whyNot(role, "bodies.reveal") ?? unread(parts, one)),
    meaning: shown(compared.meaning),
    form: shown(compared.form),
    same: shown(compared.same),
    message: textToSend(parts, opened, fields),
    requests: requests.map(({ eventId, outcome, at, status }) => {
      const command = outcome === "conflict" ? opened.group.get(eventId)?.two : one;
      return { eventId, outcome, at, status, money: valuesShown ? moneyOf(command) : undefined };
    }),
    answers: { answers: requests.map(shownAnswer), total: requests.length },
    group,
    patterns,
    mark: parts.mark,
    markNot: whyNot(role, "conflicts.mark"),
  };
}

function unread({ first }: Parts, one: CanonicalCommand | undefined): string {
  if (first === undefined) return valuesNote({ first: "none" });
  if (keptElsewhere(first)) return valuesNote({ first: "elsewhere" });
  return valuesNote({ first: one === undefined ? "closed" : "open" });
}

/** Only pairs of which both commands could be read are compared: the text says nothing of the others. */
function textToSend({ event, row, owner, group }: Parts, { group: pairs }: Opened, fields: readonly string[]): string {
  const compared = [...pairs.values()].flatMap(({ one, two }) => (one && two ? [{ one, two }] : []));
  return messageToClient({
    client: event.client,
    about: owner.about,
    count: group?.count ?? 1,
    since: `${formatDay(group?.firstAt ?? event.at, "utc", row.at)} UTC`,
    fields: group?.differingFields ?? fields,
    patterns: countPatterns(compared.map(({ one, two }) => patternOf(one, two))),
    compared: compared.length,
    minorSlips: compared.filter(({ one, two }) => isMinorSlip(one, two)).length,
  });
}

function comparison(parts: Parts, one: CanonicalCommand | undefined, two: CanonicalCommand | undefined): Comparison {
  if (one === undefined || two === undefined)
    return { meaning: differingOf(parts.event).map((field) => ({ field })), form: [], same: [] };
  const started = parts.events.find(
    (event) => event.type !== "conflict" && member(event.detail, "shape") !== undefined,
  );
  return compareCommands(
    { command: one, shape: readShape(member(started?.detail, "shape")) },
    { command: two, shape: readShape(member(parts.event.detail, "shape")) },
  );
}

function moneyOf(command: CanonicalCommand | undefined) {
  const currency = command?.fields["currency"];
  if (typeof currency !== "string") return undefined;
  return moneyView(parseAmount(command?.fields["amount"] ?? "", currency), currency);
}

function patternsOf({ commands }: Parts, opened: Opened): ConflictDetail["patterns"] {
  const names = commands.map(({ id, fields }): PatternName => {
    const { one, two } = opened.group.get(id) ?? {};
    return one === undefined || two === undefined ? patternOfFields(stringList(fields)) : patternOf(one, two);
  });
  return { shares: countPatterns(names), read: names.length };
}

interface Pair {
  readonly one: CanonicalCommand | undefined;
  readonly two: CanonicalCommand | undefined;
}

/** Every command that the page may need, decrypted before the view is put together. */
interface Opened extends Pair {
  readonly secondFingerprint: Buffer | undefined;
  readonly group: ReadonlyMap<string, Pair>;
}

async function openAll(ctx: EngineContext, parts: Parts): Promise<Opened> {
  const { row, event } = parts;
  const subject = { operation: row.operation, key: row.key, operationId: row.operationId };
  const two = await openCommand(ctx, subject, event.command, `conflict:${event.id}`);
  const group = new Map<string, Pair>();
  for (const { id, operation, key, operationId, first, second } of parts.commands) {
    const own = { operation, key, operationId };
    group.set(id, {
      one: await openCommand(ctx, own, first, "command"),
      two: await openCommand(ctx, own, second, `conflict:${id}`),
    });
  }
  return {
    one: await openCommand(ctx, subject, parts.first, "command"),
    two,
    // A service with a hash rule of its own is the only one that can compute the second hash.
    secondFingerprint:
      two && row.fingerprintVersion > 0
        ? await ctx.keyring.fingerprint(ctx.tenantId, canonicalCommand(two))
        : undefined,
    group,
  };
}
