import { derived, notStored, stored, type ColumnSource, type StateRule } from "../contract/preset";
import { movedTime } from "../presets/key-actions";
import type { KeyMap } from "./key-map";
import { statusIs, type MappedColumns } from "./mapped-columns";

/** What follows from a map for the state of a row. */
export interface MappedStates {
  readonly rules: readonly StateRule<"keys">[];
  readonly lockedUntil: ColumnSource;
  /** A predicate: the key is done, or in progress for too long. */
  readonly mayForget: string;
  /** A predicate: a lock with a beginning was left behind; nothing where there is no such lock. */
  readonly mayUnlock: string | undefined;
}

/** @param limit how long a request may take, as a literal; nothing where no column says when one began */
export function mappedStates(map: KeyMap, columns: MappedColumns, limit: string | undefined): MappedStates {
  const rules = progressRules(map, columns);
  const whenOf = (state: string): string => rules.find((rule) => rule.state === state)?.when ?? "false";
  const running = whenOf("in_progress");
  const began = [map.lockedAt, map.updated, map.created].filter((name) => name !== undefined);
  const limited =
    limit === undefined || began.length === 0
      ? undefined
      : movedTime(`coalesce(${began.map((name) => columns.time(name)).join(", ")})`, "+", limit);
  const until = map.lockedUntil === undefined ? undefined : columns.time(map.lockedUntil);
  const ends = [until, limited].filter((end) => end !== undefined);
  const stale = ends.length === 0 ? "false" : `coalesce(${ends.join(", ")}) < now()`;
  const lockedAt = map.lockedAt === undefined ? undefined : columns.time(map.lockedAt);
  return {
    rules: [
      ...(map.expires === undefined
        ? []
        : [
            {
              state: "expired" as const,
              when: `(${columns.time(map.expires)}) < now()`,
              says: `Its time in ${map.expires} is over.`,
            },
          ]),
      ...rules,
    ],
    lockedUntil: lockedUntilOf(map, until, limited, running),
    mayForget: `(${whenOf("done")}) or (${whenOf("failed")}) or ((${running}) and ${stale})`,
    mayUnlock:
      lockedAt === undefined || limit === undefined || running === "false"
        ? undefined
        : `(${running}) and ${[`(${movedTime(lockedAt, "+", limit)})`, ...(until === undefined ? [] : [until])].map((end) => `${end} < now()`).join(" and ")}`,
  };
}

function progressRules(map: KeyMap, { text, sql }: MappedColumns): readonly StateRule<"keys">[] {
  if (map.inFlight === "status" && map.status !== undefined) {
    const status = text(map.status);
    const rule = (state: "in_progress" | "done" | "failed", says: string) => ({
      state,
      when: statusIs(status, map.states[state]),
      says: `${says}: ${map.states[state].join(", ")}.`,
    });
    return [
      rule("done", "Done by its status"),
      rule("failed", "Failed by its status"),
      rule("in_progress", "In progress by its status, or its process died"),
    ].filter(({ when }) => when !== "false");
  }
  const answers = [map.response, map.httpStatus, map.completed].filter((name) => name !== undefined);
  if (map.inFlight === "no_row" || answers.length === 0)
    return [
      { state: "done", when: "true", says: "A row is there, so the request is done; work in flight leaves no row." },
    ];
  const running = answers.map((name) => `${sql(name)} is null`).join(" and ");
  return [
    {
      state: "in_progress",
      when: running,
      says: "There is no response yet: the request runs, failed, or its process died.",
    },
    // Said in full: what may be forgotten is asked by itself, where no earlier rule stands before it.
    { state: "done", when: `not (${running})`, says: "There is a response, and retries get it." },
  ];
}

function lockedUntilOf(
  map: KeyMap,
  until: string | undefined,
  limited: string | undefined,
  running: string,
): ColumnSource {
  if (until !== undefined) return stored(until);
  if (map.inFlight === "no_row")
    return notStored("A row is there when the request is done; work in flight leaves no row.");
  if (limited === undefined)
    return notStored("No column says when a request began, so none is known to take too long.");
  return derived(
    `case when ${running} then ${limited} end`,
    `While it is in progress: ${[map.lockedAt, map.updated, map.created].filter((name) => name !== undefined).join(", else ")} and the longest time that a request may take, which was given.`,
  );
}
