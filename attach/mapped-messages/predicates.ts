import { quoteText, type FoundColumn, type Table } from "../contract/tables";
import type { MessageMap, MessageRole } from "./message-map";

/** A mapped table, ready to be put into SQL. */
export interface MappedTable {
  readonly map: MessageMap;
  readonly table: Table;
  readonly types: ReadonlyMap<MessageRole, FoundColumn>;
  /** The maximum of attempts: a literal or a column. */
  readonly maximum: string | undefined;
  /** A literal: what a time without a zone is in. */
  readonly zone: string;
  readonly column: (role: MessageRole) => string | undefined;
  readonly time: (role: MessageRole) => string | undefined;
}

/** What can be said of a row; what its columns cannot tell is not there. */
export interface MessagePredicates {
  readonly sent: string | undefined;
  readonly dead: string | undefined;
  readonly inProgress: string | undefined;
  readonly retrying: string | undefined;
  readonly scheduled: string | undefined;
  readonly waiting: string | undefined;
}

type Group = "waiting" | "in_progress" | "sent" | "retrying" | "dead";

/** Spelled in upper or lower case, a status is one. */
function isStatus({ map, column }: MappedTable, group: Group): string | undefined {
  const name = column("status");
  const values = map.status?.[group] ?? [];
  if (name === undefined || values.length === 0) return undefined;
  return `lower(${name}::text) in (${values.map((value) => quoteText(value.toLowerCase())).join(", ")})`;
}

const either = (...predicates: (string | undefined)[]): string | undefined => {
  const known = predicates.filter((predicate) => predicate !== undefined);
  return known.length === 0 ? undefined : known.map((predicate) => `(${predicate})`).join(" or ");
};

/** Nothing is known of both when nothing is known of the first. */
const both = (first: string | undefined, second: string | undefined): string | undefined =>
  first === undefined || second === undefined ? undefined : `(${first}) and (${second})`;

/** What is not known of a row holds for it neither way. */
export const not = (predicate: string | undefined): string =>
  predicate === undefined ? "true" : `(${predicate}) is not true`;

export function predicatesOf(mapped: MappedTable): MessagePredicates {
  const { column, time, maximum } = mapped;
  const [sentAt, flag, attempts] = [column("sent_at"), column("sent_flag"), column("attempts")];
  const deadStatus = isStatus(mapped, "dead");
  // A status that says failed outweighs a time: some tables write when they gave up into the same column.
  const marked = either(sentAt === undefined ? undefined : `${sentAt} is not null`, flag);
  const sent = either(isStatus(mapped, "sent"), both(marked, not(deadStatus))) ?? (isMark(mapped) ? "true" : undefined);
  const waits = column("status") === undefined ? sent && "true" : isStatus(mapped, "waiting");
  const open = not(sent);
  const exhausted = sent !== undefined && attempts !== undefined && maximum !== undefined;
  const tried = attempts === undefined ? undefined : `${attempts} > 0`;
  const available = time("available_at");
  return {
    sent,
    dead: either(deadStatus, exhausted ? `${attempts} >= ${maximum} and ${open}` : undefined),
    inProgress: either(isStatus(mapped, "in_progress"), sent && both(isLocked(mapped), open)),
    retrying: both(either(isStatus(mapped, "retrying"), both(tried, waits)), open),
    scheduled: both(available && both(`${available} > now()`, waits), open),
    waiting: both(waits, open),
  };
}

/** As far as the columns of a lock say it. */
export function isLocked({ column, time }: MappedTable): string | undefined {
  const until = time("locked_until");
  if (until !== undefined) return `${until} > now()`;
  const name = column("locked_at") ?? column("locked_by");
  return name === undefined ? undefined : `${name} is not null`;
}

/** A table of an inbox with nothing to handle in it is written when a message was handled. */
const isMark = ({ map }: MappedTable): boolean =>
  map.kind === "inbox" && map.payload === undefined && map.status === undefined;
