import { z } from "zod";

const MAX_NAME = 63;
const MAX_STATUS = 100;
const MAX_VALUES = 20;
const MAX_PARTS = 4;

const column = z.string().min(1).max(MAX_NAME);
const values = z.array(z.string().max(MAX_STATUS)).max(MAX_VALUES);

/**
 * How a request that still runs shows in a table of keys: by a status, by a response that is not there yet, or not at all because a
 * row is written when everything is done.
 */
const inFlight = z.enum(["status", "no_response", "no_row"]);

/** Which column of a hand-made table of keys is what. Names are as the database has them. */
export const keyMap = z
  .object({
    key: column,
    keyIsHashed: z.boolean().default(false),
    /** Columns that name one row together; none of the others may name two rows alike. */
    id: z.array(column).min(1).max(MAX_PARTS),
    tenant: column.optional(),
    /** Operation, or method and path. */
    scope: z.array(column).max(MAX_PARTS).default([]),
    fingerprint: column.optional(),
    status: column.optional(),
    httpStatus: column.optional(),
    response: column.optional(),
    /** What the request made, where that is kept instead of a response. */
    reference: column.optional(),
    created: column.optional(),
    updated: column.optional(),
    completed: column.optional(),
    lockedBy: column.optional(),
    lockedAt: column.optional(),
    lockedUntil: column.optional(),
    expires: column.optional(),
    attempts: column.optional(),
    inFlight,
    /** What the status says in each state, in any case of letters. */
    states: z
      .object({ in_progress: values, done: values, failed: values })
      .default({ in_progress: [], done: [], failed: [] }),
  })
  .refine(({ inFlight: shown, status }) => shown !== "status" || status !== undefined, {
    message: "Without a column for the status a request in progress cannot be told by it.",
    path: ["inFlight"],
  })
  .refine(
    ({ inFlight: shown, response, httpStatus, completed }) =>
      shown !== "no_response" || response !== undefined || httpStatus !== undefined || completed !== undefined,
    {
      message: "Without a column for the response, its status or its time a request in progress cannot be told by it.",
      path: ["inFlight"],
    },
  )
  .refine(({ states: { in_progress, done, failed } }) => {
    const all = [...in_progress, ...done, ...failed].map((value) => value.toLowerCase());
    return new Set(all).size === all.length;
  }, "One value of the status stands for two states.");

export type KeyMap = z.infer<typeof keyMap>;

/** The columns of a map by what they are; several columns may be one thing. */
export function keyMapColumns(map: KeyMap): readonly string[] {
  const { key, id, scope, tenant, fingerprint, status, httpStatus, response, reference } = map;
  const { created, updated, completed, lockedBy, lockedAt, lockedUntil, expires, attempts } = map;
  const single = [key, tenant, fingerprint, status, httpStatus, response, reference];
  const rest = [created, updated, completed, lockedBy, lockedAt, lockedUntil, expires, attempts];
  return [...new Set([...id, ...scope, ...single, ...rest].filter((name) => name !== undefined))];
}
