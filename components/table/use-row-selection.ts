"use client";

import { useRef, useState } from "react";
import type { Pick } from "./selection";
import type { TableRow } from "./types";

export interface RowSelection {
  /** Selected rows that are still on the page: one that has left the list since is not acted on. */
  readonly selected: readonly string[];
  /** Everything that matches is meant. */
  readonly all: boolean;
  readonly setAll: (all: boolean) => void;
  readonly pick: Pick;
}

/** One row by one, or with Shift every row from the last one to this. */
export function useRowSelection(
  rows: readonly TableRow[],
  state: Readonly<Record<string, boolean | undefined>>,
  toggle: (id: string, on: boolean) => void,
): RowSelection {
  const last = useRef<string>(undefined);
  const [all, setAll] = useState(false);
  const pick: Pick = (id, on, range) => {
    for (const each of range ? between(rows, last.current, id) : [id]) toggle(each, on);
    last.current = id;
    setAll(false);
  };
  return { selected: rows.flatMap(({ id }) => (state[id] === true ? [id] : [])), all, setAll, pick };
}

/** @returns ids from one row to the other in the order of the list, both included */
function between(rows: readonly TableRow[], from: string | undefined, to: string): readonly string[] {
  const ids = rows.map(({ id }) => id);
  const start = from === undefined ? -1 : ids.indexOf(from);
  const end = ids.indexOf(to);
  if (start === -1 || end === -1) return [to];
  return ids.slice(Math.min(start, end), Math.max(start, end) + 1);
}
