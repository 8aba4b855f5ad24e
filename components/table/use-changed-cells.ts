"use client";

import { useEffect, type RefObject } from "react";

const TINT_MS = 1_500;
/** What changes by itself: ages go on, "copied" comes and goes. */
const RESTLESS = "time, [role=status]";

/** Cells of a row that stays and says something else after it was read again get the hover tint for a moment. */
export function useChangedCells(body: RefObject<HTMLTableSectionElement | null>): void {
  useEffect(() => {
    const element = body.current;
    if (element === null) return;
    const timers = new Map<Element, ReturnType<typeof setTimeout>>();
    const observer = new MutationObserver((changes) => {
      for (const { target } of changes) {
        const at = target instanceof Element ? target : target.parentElement;
        const cell = at?.closest("tr[data-row] > td");
        if (cell === null || cell === undefined || at?.closest(RESTLESS) !== null) continue;
        clearTimeout(timers.get(cell));
        cell.setAttribute("data-changed", "");
        timers.set(
          cell,
          setTimeout(() => {
            cell.removeAttribute("data-changed");
            timers.delete(cell);
          }, TINT_MS),
        );
      }
    });
    observer.observe(element, { subtree: true, childList: true, characterData: true });
    return () => {
      observer.disconnect();
      for (const timer of timers.values()) clearTimeout(timer);
    };
  }, [body]);
}
