import { z } from "zod";
import { parseDeadLetterFilters, scopeOf } from "@/domain/filters/dead-letters";
import { MAX_FILTER_TEXT } from "@/domain/filters/search";
import { PLAN_KINDS, PLAN_MAX_IDS } from "@/domain/plan";
import { AppError } from "@/domain/errors";
import type { PlanScope } from "@/engine/plan/plan-kind";
import { reason } from "./action-bodies";
import { badFilters } from "./read-input";

const text = z.string().trim().min(1).max(MAX_FILTER_TEXT);

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
  kind: z.enum(PLAN_KINDS),
  /** Every open dead letter of this filter. */
  filter: filter.optional(),
  /** One group: everything that failed alike at one place. */
  group: z.strictObject({ side: z.enum(["outbox", "inbox"]), place: text, fingerprint: text }).optional(),
  /** Ids of dead letters. */
  ids: z.array(z.uuid()).min(1).max(PLAN_MAX_IDS).optional(),
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
 * @returns what is to be frozen
 * @throws AppError `validation.body` 422 unless exactly one of filter, group and ids is there; `validation.filter` 400
 */
export function scopeOfBody(body: PlanBody): PlanScope {
  const given = [body.filter, body.group, body.ids].filter((each) => each !== undefined);
  if (given.length !== 1) {
    throw new AppError("validation.body", 422, "The body is not valid", {
      detail: "Say what to freeze by exactly one of filter, group and ids. Nothing was recorded.",
      extensions: { errors: [{ path: "filter", message: "exactly one of filter, group and ids" }] },
    });
  }
  if (body.ids !== undefined) return { by: "ids", ids: [...new Set(body.ids.map((id) => id.toLowerCase()))].sort() };
  const parsed = parseDeadLetterFilters({ ...(body.filter ?? body.group) });
  if (parsed.problems.length > 0) throw badFilters(parsed.problems);
  return { by: "filter", filter: scopeOf(parsed.filters) };
}
