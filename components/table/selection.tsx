"use client";

import { createContext, useContext, useEffect, useRef, useState, type ReactNode } from "react";
import { type RowMoney, selectedWords } from "@/presentation/format/money-sum";
import type { TableRow } from "./columns";
import styles from "./selection.module.css";

export interface SelectAllProps {
  readonly all: boolean;
  readonly some: boolean;
  readonly onChange: (on: boolean) => void;
}

export function SelectAll({ all, some, onChange }: SelectAllProps) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = some && !all;
  }, [all, some]);
  return (
    <input
      ref={box}
      className={styles["box"]}
      type="checkbox"
      aria-label="Select all on this page"
      checked={all}
      onChange={(event) => {
        onChange(event.currentTarget.checked);
      }}
    />
  );
}

/** Selects or leaves a row. @param range every row from the last one to this */
export type Pick = (id: string, on: boolean, range: boolean) => void;

export const PickContext = createContext<Pick>(() => undefined);

/** With Shift: every row from the last one to this. */
export function SelectRow({ id, label, on }: { readonly id: string; readonly label: string; readonly on: boolean }) {
  const pick = useContext(PickContext);
  return (
    <input
      className={styles["box"]}
      type="checkbox"
      aria-label={label}
      checked={on}
      onChange={({ currentTarget, nativeEvent }) => {
        pick(id, currentTarget.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey);
      }}
    />
  );
}

export interface Selection {
  readonly ids: readonly string[];
  /** Everything that the list's filters match is meant, not only this page. */
  readonly all: boolean;
  /** How many match, as the list says it: "11,204", "10,000+". */
  readonly matching?: string | undefined;
}

const SelectionContext = createContext<Selection>({ ids: [], all: false });

export function useSelection(): Selection {
  return useContext(SelectionContext);
}

export function useSelectedIds(): readonly string[] {
  return useContext(SelectionContext).ids;
}

export interface SelectionBarProps {
  readonly selection: Selection;
  /** What is selected stands for, as far as it is on this page. */
  readonly money?: readonly (RowMoney | undefined)[] | undefined;
  readonly wholePage: boolean;
  readonly onAll: (all: boolean) => void;
  readonly onClear: () => void;
  readonly children: ReactNode;
}

function matchWords(matching: string): string {
  return matching === "1" ? "The 1 that matches" : `All ${matching} that match`;
}

/** Stuck to the bottom while rows are selected: how many, what they stand for, all that match, what can be done, and Clear. */
export function SelectionBar({ selection, money, wholePage, onAll, onClear, children }: SelectionBarProps) {
  const { ids, all, matching } = selection;
  if (ids.length === 0) return null;
  const selected = selectedWords(money ?? ids.map(() => undefined));
  return (
    <div className={styles["bar"]} role="region" aria-label="Selection">
      <b aria-live="polite">{all && matching !== undefined ? matchWords(matching) : selected}</b>
      {wholePage && matching !== undefined && (
        <button
          type="button"
          className={styles["all"]}
          onClick={() => {
            onAll(!all);
          }}
        >
          {all ? "Only this page" : matchWords(matching)}
        </button>
      )}
      <span className="grow off-phone" />
      <SelectionContext value={selection}>{children}</SelectionContext>
      <button type="button" onClick={onClear}>
        Clear
      </button>
    </div>
  );
}

export interface RowSelection {
  /** Selected rows that are still on the page: one that has left the list since is not acted on. */
  readonly selected: readonly string[];
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
