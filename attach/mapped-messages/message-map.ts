import { z } from "zod";
import { isOfFamily, sameName, type Family, type FoundColumn, type FoundTable } from "../contract/tables";

const MAX_STATUSES = 20;
/** PostgreSQL cuts longer names. */
const columnName = z.string().min(1).max(63);
/** Compared without regard to upper and lower case. */
const statuses = z.array(z.string().min(1).max(100)).max(MAX_STATUSES).default([]);

const statusColumn = z.strictObject({
  column: columnName,
  waiting: statuses,
  in_progress: statuses,
  sent: statuses,
  retrying: statuses,
  dead: statuses,
  /** The status of a message that waits, letter by letter: what a requeued message is set to. */
  requeue_as: z.string().min(1).max(100).optional(),
});

/** Which column of a hand-made table is what; what is left out is not stored. */
export const messageMap = z.strictObject({
  kind: z.enum(["outbox", "inbox"]),
  /** The key that names a row. */
  id: columnName,
  /** The second column of a key of two: `id` alone does not name a row then, and no row is changed. */
  id_within: columnName.optional(),
  message_id: columnName.optional(),
  type: columnName.optional(),
  destination: columnName.optional(),
  consumer: columnName.optional(),
  order_key: columnName.optional(),
  tenant: columnName.optional(),
  created_at: columnName.optional(),
  available_at: columnName.optional(),
  /** When it was sent, published or processed. */
  sent_at: columnName.optional(),
  /** Whether it was. */
  sent_flag: columnName.optional(),
  status: statusColumn.optional(),
  attempts: columnName.optional(),
  max_attempts: z
    .union([z.strictObject({ column: columnName }), z.strictObject({ constant: z.int().min(1).max(1_000_000) })])
    .optional(),
  last_error: columnName.optional(),
  payload: columnName.optional(),
  headers: columnName.optional(),
  locked_by: columnName.optional(),
  locked_at: columnName.optional(),
  locked_until: columnName.optional(),
});

export type MessageMap = z.infer<typeof messageMap>;

/** The columns of a map that are one name each. */
export type MessageRole = Exclude<keyof MessageMap, "kind" | "status" | "max_attempts"> | "max_attempts" | "status";

/** What a column of a role may be; a number called status means something else in most tables. */
export const ROLE_FAMILIES: Readonly<Record<MessageRole, readonly Family[]>> = {
  id: ["integer", "uuid", "text"],
  id_within: ["text", "uuid", "integer"],
  message_id: ["text", "uuid", "integer"],
  type: ["text"],
  destination: ["text"],
  consumer: ["text", "uuid"],
  order_key: ["text", "uuid", "integer"],
  tenant: ["text", "uuid", "integer"],
  created_at: ["time"],
  available_at: ["time"],
  sent_at: ["time"],
  sent_flag: ["boolean"],
  status: ["text"],
  attempts: ["integer"],
  max_attempts: ["integer"],
  last_error: ["text", "json"],
  payload: ["json", "text", "bytes"],
  headers: ["json", "text"],
  locked_by: ["text", "uuid"],
  locked_at: ["time"],
  locked_until: ["time"],
};

/** Types that are somebody's own: an enum has no family. */
const FAMILIES: readonly Family[] = ["text", "integer", "time", "boolean", "json", "uuid", "bytes", "array"];
const NUMBERS = /^(numeric|real|double precision|date|time|interval|inet|cidr|money|bit|xml|point|tsvector)/;

export const isEnum = (type: string): boolean =>
  !FAMILIES.some((family) => isOfFamily(type, family)) && !NUMBERS.test(type);

export function fitsRole(role: MessageRole, type: string): boolean {
  if ((role === "status" || role === "type" || role === "destination") && isEnum(type)) return true;
  return ROLE_FAMILIES[role].some((family) => isOfFamily(type, family));
}

/** Each mapped column by its role. */
export function mappedColumns(map: MessageMap): ReadonlyMap<MessageRole, string> {
  const { kind: _, status, max_attempts, ...single } = map;
  const columns = new Map<MessageRole, string>();
  for (const [role, column] of Object.entries(single))
    if (typeof column === "string") columns.set(role as MessageRole, column);
  if (status !== undefined) columns.set("status", status.column);
  if (max_attempts !== undefined && "column" in max_attempts) columns.set("max_attempts", max_attempts.column);
  return columns;
}

/**
 * The columns of a table that a map names.
 *
 * @throws Error in one sentence for a column that is not there, or that cannot be what the map says
 */
export function columnsOfMap(map: MessageMap, table: FoundTable): ReadonlyMap<MessageRole, FoundColumn> {
  const found = new Map<MessageRole, FoundColumn>();
  for (const [role, name] of mappedColumns(map)) {
    const column = table.columns.find((each) => sameName(each.name) === sameName(name));
    if (column === undefined) throw new Error(`${table.schema}.${table.name} has no column ${name}.`);
    if (!fitsRole(role, column.type))
      throw new Error(`${name} is ${column.type}, which cannot be the ${role} of a message.`);
    found.set(role, column);
  }
  return found;
}
