import type { ActionPart, PresetActions, PurgePart, RowPart, Unsafe } from "../contract/preset";
import { quoteText } from "../contract/tables";
import { isLocked, not, type MappedTable, type MessagePredicates } from "./predicates";

/** How an id is cast, and what it is compared with. */
export function rowKeyOf({ map, types }: MappedTable): RowPart & { readonly cast: string } {
  const type = types.get("id")?.type ?? "text";
  const prefix = map.kind === "outbox" ? "out" : "in";
  if (type === "uuid") return { prefix, key: "uuid", cast: "row_key::uuid" };
  if (/^(smallint|integer|bigint)$/.test(type)) return { prefix, key: "bigint", cast: "row_key::bigint" };
  return { prefix, key: "text", cast: "row_key" };
}

/** What the map lets be done safely, and why the rest is not offered. */
export function actionsOf(
  mapped: MappedTable,
  is: MessagePredicates,
): { readonly actions: PresetActions; readonly unsafe: Unsafe } {
  const noRow = whyNoRow(mapped, is);
  const noRequeue = noRow ?? whyNoRequeue(mapped);
  const noPurge = whyNoPurge(mapped);
  return {
    actions: {
      ...(noRequeue === undefined ? { requeue: [requeueOf(mapped, is)] } : {}),
      ...(noRow === undefined ? { discard: [discardOf(mapped, is)] } : {}),
      ...(noPurge === undefined ? { purge: [purgeOf(mapped, is)] } : {}),
    },
    unsafe: {
      ...(noRequeue === undefined ? {} : { requeue: noRequeue }),
      ...(noRow === undefined ? {} : { discard: noRow }),
      ...(noPurge === undefined ? {} : { purge: noPurge }),
    },
  };
}

function whyNoRow({ map }: MappedTable, { dead }: MessagePredicates): string | undefined {
  if (map.id_within !== undefined)
    return `A row is named by ${map.id} and ${map.id_within} together, and no action is offered for a key of two columns.`;
  return dead === undefined
    ? "The columns that were mapped do not tell which messages were given up: map a status of such messages, or attempts with their maximum."
    : undefined;
}

function whyNoRequeue({ map }: MappedTable): string | undefined {
  if (map.status !== undefined && map.status.requeue_as === undefined)
    return "The status of a waiting message was not given letter by letter: written otherwise the application would never take it.";
  return undefined;
}

function whyNoPurge({ map }: MappedTable): string | undefined {
  if (map.sent_at === undefined)
    return "No column says when a message was sent or handled, so what is old is not known.";
  return map.id_within === undefined
    ? undefined
    : `A row is named by ${map.id} and ${map.id_within} together, and no action is offered for a key of two columns.`;
}

/** Of a message that a status calls dead, a lock without an end is a left-over; one with the last try may be running. */
function isHeld(mapped: MappedTable): string | undefined {
  const { locked_until, status } = mapped.map;
  return locked_until === undefined && status !== undefined && status.dead.length > 0 ? undefined : isLocked(mapped);
}

function takenDead(mapped: MappedTable, { dead = "false" }: MessagePredicates): string {
  const id = mapped.column("id") ?? "";
  return `select ${id} as id from ${mapped.table.sql}
  where ${id} = ${rowKeyOf(mapped).cast} and (${dead}) and ${not(isHeld(mapped))} for update skip locked`;
}

/** Sets what tells that a message is dead, and when it is due, to what a new message has; errors and locks stay. */
function requeueOf(mapped: MappedTable, is: MessagePredicates): ActionPart {
  const { map, column, types, table } = mapped;
  const now = types.get("available_at")?.type.endsWith("without time zone") === true ? nowAt(mapped) : "now()";
  const sets = [
    ["status", map.status?.requeue_as === undefined ? undefined : quoteText(map.status.requeue_as)],
    ["attempts", "0"],
    ["available_at", now],
    // A dead message may carry the time at which it was given up; a new one carries none.
    ["sent_at", "null"],
  ] as const;
  const changes = sets.flatMap(([role, value]) => {
    const name = column(role);
    return name === undefined || value === undefined ? [] : [`${name} = ${value}`];
  });
  const { prefix, key } = rowKeyOf(mapped);
  const id = column("id") ?? "";
  return {
    prefix,
    key,
    sql: `with taken as (
  ${takenDead(mapped, is)}
)
update ${table.sql} as row_of set ${changes.join(", ")}
from taken where row_of.${id} = taken.id and (${is.dead ?? "false"})
returning 'dead', 'waiting'`,
  };
}

const nowAt = ({ zone }: MappedTable): string => `now() at time zone ${zone}`;

function discardOf(mapped: MappedTable, is: MessagePredicates): ActionPart {
  const { prefix, key } = rowKeyOf(mapped);
  return {
    prefix,
    key,
    sql: `with taken as (
  ${takenDead(mapped, is)}
)
delete from ${mapped.table.sql} as row_of using taken where row_of.${mapped.column("id") ?? ""} = taken.id returning 'dead', 'gone'`,
  };
}

function purgeOf(mapped: MappedTable, { sent = "false", dead }: MessagePredicates): PurgePart {
  const id = mapped.column("id") ?? "";
  return {
    sql: `with taken as (
  select ${id} as id from ${mapped.table.sql}
  where ${mapped.time("sent_at") ?? ""} < least(before, now()) and (${sent}) and ${not(dead)} and ${not(isLocked(mapped))} limit most for update skip locked
)
delete from ${mapped.table.sql} as row_of using taken where row_of.${id} = taken.id
returning '${rowKeyOf(mapped).prefix}:' || row_of.${id}, '${mapped.map.kind === "outbox" ? "sent" : "done"}', 'gone'`,
  };
}
