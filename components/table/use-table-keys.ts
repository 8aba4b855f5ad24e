"use client";

import { useEffect, useRef, type RefObject } from "react";
import { isTyping } from "@/components/ui/is-typing";
import type { TableRow } from "./columns";

/**
 * `j` `k` walk, from the row that is open; `x` selects, `X` all from the last one; `c` copies the id; `Enter` opens because the
 * link of the row has the focus.
 */
export function useTableKeys(
  body: RefObject<HTMLTableSectionElement | null>,
  rows: readonly TableRow[],
  toggle: (id: string, range: boolean) => void,
): void {
  const latest = useRef({ rows, toggle });
  useEffect(() => {
    latest.current = { rows, toggle };
  });

  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
      const lines = [...(body.current?.querySelectorAll<HTMLElement>("tr[data-row]") ?? [])];
      // Where a page has several tables, the one that has the focus walks, else the first.
      const active = document.activeElement?.closest("tr[data-row]") ?? document.querySelector("tr[data-row]");
      if (body.current?.contains(active) !== true) return;
      const focused = lines.findIndex((line) => line.contains(document.activeElement));
      const at = focused === -1 ? lines.findIndex((line) => line.dataset["current"] !== undefined) : focused;
      const id = lines[at]?.dataset["row"];
      if (event.key === "j" || event.key === "k") {
        const next = lines[at === -1 ? 0 : at + (event.key === "j" ? 1 : -1)];
        if (next === undefined) return;
        focusRow(next);
      } else if ((event.key === "x" || event.key === "X") && id !== undefined) {
        latest.current.toggle(id, event.key === "X");
      } else if (event.key === "c" && id !== undefined) {
        const text = latest.current.rows.find((row) => row.id === id)?.copy;
        if (text === undefined) return;
        void navigator.clipboard.writeText(text);
      } else {
        return;
      }
      event.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => {
      document.removeEventListener("keydown", onKey);
    };
  }, [body]);
}

function focusRow(line: HTMLElement): void {
  const target =
    line.querySelector<HTMLElement>("[data-row-link]") ?? line.querySelector<HTMLElement>("a, button, input");
  target?.focus({ preventScroll: true });
  line.scrollIntoView({ block: "nearest" });
}
