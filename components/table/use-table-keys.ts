"use client";

import type { RefObject } from "react";
import { useKeys } from "@/components/ui/use-keys";
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
  useKeys((event) => {
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
      toggle(id, event.key === "X");
    } else if (event.key === "c" && id !== undefined) {
      const text = rows.find((row) => row.id === id)?.copy;
      if (text === undefined) return;
      void navigator.clipboard.writeText(text);
    } else {
      return;
    }
    event.preventDefault();
  });
}

function focusRow(line: HTMLElement): void {
  const target =
    line.querySelector<HTMLElement>("[data-row-link]") ?? line.querySelector<HTMLElement>("a, button, input");
  target?.focus({ preventScroll: true });
  line.scrollIntoView({ block: "nearest" });
}
