import type { Foreign } from "../connection";
import type { AttachView } from "../contract/columns";
import { quoteName } from "../contract/tables";
import { attachedRowOf, rowColumns, type AttachedRow } from "./list-rows";
import { readIfCheap, type Cheap } from "./look-up";

/** The lists that can tell what is being worked on. */
export type FlightView = Extract<AttachView, "keys" | "outgoing">;

/**
 * What the columns of a row in flight say of it. `lock_ended`: its lock ran out. `held`: its lock has not. `old` and `young`: no end of a
 * lock is known, and it is so old or not. `no_time`: nothing is known.
 */
export const FLIGHT_STANDINGS = ["lock_ended", "old", "held", "young", "no_time"] as const;
export type FlightStanding = (typeof FLIGHT_STANDINGS)[number];

export interface InFlight {
  /** The oldest, at most as many as asked for. */
  readonly rows: readonly { readonly row: AttachedRow; readonly standing: FlightStanding }[];
  /** Of all rows in flight. */
  readonly counts: Readonly<Record<FlightStanding, number>>;
}

/** The last of these that a row has is the latest time at which somebody is known to have written it or to have been due to take it. */
const SINCE: Readonly<Record<FlightView, readonly string[]>> = {
  keys: ["updated_at", "created_at"],
  outgoing: ["available_at", "created_at"],
};

/**
 * Rows of a view that are in progress, the oldest first, by the clock of their own database. No library has an index for our states, so
 * this is read only where reading all of the view is cheap.
 *
 * @param ask.oldSeconds a row without an end of its lock is old after so many
 */
export async function readInFlight(
  foreign: Foreign,
  schema: string,
  view: FlightView,
  types: readonly string[],
  ask: { readonly oldSeconds: number; readonly most: number },
): Promise<Cheap<InFlight>> {
  const found = await readIfCheap(
    foreign,
    inFlightStatement(schema, view, types),
    [ask.oldSeconds],
    ` limit ${String(ask.most)}`,
  );
  if ("because" in found) return found;
  const rowOf = attachedRowOf(view, types);
  const [first] = found.value;
  const counts = Object.fromEntries(
    FLIGHT_STANDINGS.map((standing) => [standing, Number(first?.[`all_${standing}`] ?? 0)]),
  ) as Record<FlightStanding, number>;
  return {
    value: {
      counts,
      rows: found.value.map((row) => ({ row: rowOf(row), standing: row["standing"] as FlightStanding })),
    },
  };
}

/** Its parameter is after how many seconds a row is old. */
export function inFlightStatement(schema: string, view: FlightView, types: readonly string[]): string {
  const order = types.map((_, index) => `order_${String(index + 1)}`);
  const counts = FLIGHT_STANDINGS.map(
    (standing) => `count(*) filter (where standing = '${standing}') over () as all_${standing}`,
  );
  return `select ${rowColumns(view, types)}, standing, ${counts.join(", ")} from (
    select *, case
        when locked_until < statement_timestamp() then 'lock_ended' when locked_until is not null then 'held'
        when since is null then 'no_time' when since < statement_timestamp() - make_interval(secs => $1::integer) then 'old'
        else 'young' end as standing
      from (select *, greatest(${SINCE[view].join(", ")}) as since from ${quoteName(schema)}.${view} where state = 'in_progress') rows_of_it
  ) judged order by since asc nulls last, ${order.join(", ")}`;
}
