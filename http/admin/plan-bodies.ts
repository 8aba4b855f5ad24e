import { z } from "zod";
import { parseDeadLetterFilters, parseOperationFilters, parseOutboxFilters } from "@/presentation/filters/parsers";
import { frozenScope, publishedScope, type OperationScope } from "@/presentation/filters/plan-scope";
import { MAX_FILTER_TEXT } from "@/presentation/filters/search";
import { aboutOperations } from "@/presentation/plan/plan-words";
import { BULK_KINDS, isAttachedKind, PLAN_MAX_IDS, PURGE_ATTACHED_KIND } from "@/domain/plans/plan";
import { AppError } from "@/domain/errors";
import type { AttachedScope, PlanScope } from "@/console/plans/plan-kind";
import { reason } from "./action-bodies";
import { badFilters } from "./read-input";
import { windowHours } from "@/domain/lists/window";
import { onlyOpenStates, type PublishedScope, scopeOf } from "@/domain/lists/filters";

const text = z.string().trim().min(1).max(MAX_FILTER_TEXT);

/** The longest key of a library's table that names a row, with its prefix. */
const ROW_MAX = 1_000;

/** Type and first line of an error, as a list groups them. */
const GROUP_MAX = 500;
const SEARCH_MAX = 2_000;

/** The same names and values as in the address of the dead letters. */
const filter = z.strictObject({
  side: z.string().optional(),
  place: text.optional(),
  type: text.optional(),
  error: text.optional(),
  fingerprint: text.optional(),
  operationId: z.string().optional(),
  from: z.string().optional(),
  to: z.string().optional(),
});

export const planBody = z.strictObject({
  kind: z.enum(BULK_KINDS),
  /** Every open dead letter of this filter. */
  filter: filter.optional(),
  /** One group: everything that failed alike at one place. */
  group: z.strictObject({ side: z.enum(["outbox", "inbox"]), place: text, fingerprint: text }).optional(),
  /** The query string of the list of operations, or of published messages: all that it shows, its time window frozen. */
  search: z.string().max(SEARCH_MAX).optional(),
  /** Ids of dead letters, of operations, or of published messages. */
  ids: z.array(z.uuid()).min(1).max(PLAN_MAX_IDS).optional(),
  /** Dead rows of an attachment: those that are named, or the newest of a type or of a kind of error. */
  attached: z
    .strictObject({
      attachment: z.uuid(),
      rows: z.array(z.string().min(1).max(ROW_MAX)).min(1).max(PLAN_MAX_IDS).optional(),
      type: text.optional(),
      error: text.optional(),
      group: z.string().min(1).max(GROUP_MAX).optional().describe("an error as the list groups it"),
      before: z.iso.datetime({ offset: true }).optional().describe("of a purge: rows from before this time"),
    })
    .optional(),
  reason,
});
export type PlanBody = z.infer<typeof planBody>;

export const decideBody = z.strictObject({
  decision: z.enum(["approve", "reject"]),
  /** Approving also starts it. */
  start: z.boolean().default(false),
  reason: reason.optional(),
});

/**
 * @param at when the plan is made, RFC 3339: a window without an end is frozen there
 * @returns what is to be frozen
 * @throws AppError `validation.body` 422 unless exactly one of filter, group, search, ids and attached is there; `validation.filter` 400
 */
export function scopeOfBody(body: PlanBody, at: string): PlanScope {
  const operations = aboutOperations(body.kind);
  const published = body.kind === "republish_messages";
  const allowed = isAttachedKind(body.kind)
    ? ["attached"]
    : operations || published
      ? ["search", "ids"]
      : ["filter", "group", "ids"];
  const given = (["filter", "group", "search", "ids", "attached"] as const).filter((name) => body[name] !== undefined);
  if (given.length !== 1 || !given.every((name) => allowed.includes(name))) {
    throw new AppError("validation.body", 422, "The body is not valid", {
      detail: `Say what to freeze by exactly one of ${allowed.join(", ")}. Nothing was recorded.`,
      extensions: { errors: [{ path: allowed[0] ?? "", message: `exactly one of ${allowed.join(", ")}` }] },
    });
  }
  if (body.attached !== undefined) {
    return { by: "attached", filter: attachedScope(body.kind, body.attached) };
  }
  if (body.ids !== undefined) return { by: "ids", ids: [...new Set(body.ids.map((id) => id.toLowerCase()))].sort() };
  if (published) return { by: "published", filter: publishedScopeOf(body.search ?? "", at) };
  if (operations) return { by: "operations", filter: operationScope(body.search ?? "", at) };
  const parsed = parseDeadLetterFilters({ ...(body.filter ?? body.group) });
  if (parsed.problems.length > 0) throw badFilters(parsed.problems);
  return { by: "filter", filter: scopeOf(parsed.filters) };
}

/** Of a purge the time alone, of another act which dead rows. */
function attachedScope(kind: PlanBody["kind"], body: NonNullable<PlanBody["attached"]>): AttachedScope {
  const { attachment, before, rows, type, error, group } = body;
  const purges = kind === PURGE_ATTACHED_KIND;
  const dead = [rows, type, error, group].some((each) => each !== undefined);
  if (purges ? before === undefined || dead : before !== undefined)
    throw new AppError("validation.body", 422, "The body is not valid", {
      detail: purges
        ? "Of a purge say attached.before, and nothing else but the attachment. Nothing was recorded."
        : "attached.before is of a purge. Nothing was recorded.",
      extensions: { errors: [{ path: "attached", message: purges ? "before is needed, alone" : "no before" }] },
    });
  if (before !== undefined) return { attachment, before: new Date(before).toISOString() };
  return { attachment, type, error, group, rows: rows && [...new Set(rows)].sort() };
}

/** As the list of published messages has it, but for the age, which no plan keeps. */
function publishedScopeOf(search: string, at: string): PublishedScope {
  const parsed = parseOutboxFilters(searchOf(search));
  const { filters } = parsed;
  const problems = [
    ...parsed.problems,
    ...(filters.older === undefined ? [] : [{ name: "older", detail: "not for a plan: name from and to" }]),
    ...(filters.state === "published" ? [] : [{ name: "state", detail: "only what is published" }]),
  ];
  if (problems.length > 0) throw badFilters(problems);
  return publishedScope(filters, at, windowHours(filters));
}

function searchOf(search: string): Record<string, string[]> {
  const query = new URLSearchParams(search);
  const names = [...new Set(query.keys())];
  return Object.fromEntries(names.map((name) => [name, query.getAll(name)]));
}

function operationScope(search: string, at: string): OperationScope {
  const parsed = parseOperationFilters(searchOf(search));
  if (parsed.problems.length > 0) throw badFilters(parsed.problems);
  const { filters } = parsed;
  // What is open is listed whatever its age.
  return frozenScope(filters, at, onlyOpenStates(filters) ? undefined : windowHours(filters));
}
