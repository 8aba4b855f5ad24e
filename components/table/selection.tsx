"use client";

import { createContext, useContext, useEffect, useRef, type ReactNode } from "react";
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

export interface SelectRowProps {
  readonly label: string;
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
}

export function SelectRow({ label, on, onChange }: SelectRowProps) {
  return (
    <input
      className={styles["box"]}
      type="checkbox"
      aria-label={label}
      checked={on}
      onChange={(event) => {
        onChange(event.currentTarget.checked);
      }}
    />
  );
}

const SelectedContext = createContext<readonly string[]>([]);

/** @returns ids of the selected rows, for a control of the selection bar. */
export function useSelectedIds(): readonly string[] {
  return useContext(SelectedContext);
}

export interface SelectionBarProps {
  readonly ids: readonly string[];
  readonly onClear: () => void;
  readonly children: ReactNode;
}

/** Stuck to the bottom while rows are selected: how many, what can be done, and Clear. */
export function SelectionBar({ ids, onClear, children }: SelectionBarProps) {
  if (ids.length === 0) return null;
  return (
    <div className={styles["bar"]} role="region" aria-label="Selection">
      <b>{ids.length} selected</b>
      <span className={styles["space"]} />
      <SelectedContext value={ids}>{children}</SelectedContext>
      <button type="button" onClick={onClear}>
        Clear
      </button>
    </div>
  );
}
