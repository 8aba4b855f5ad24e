"use client";

import { useRouter } from "@/components/navigation/router";
import { goToPlace } from "@/components/ui/place";
import { useEffect, useRef, type FocusEvent, type MouseEvent, type ReactNode } from "react";

/** As wide as the pane needs; below it a row opens its own page. */
const PANE = "(min-width: 1400px)";
/** Somebody who walks fast with the keyboard loads only the row where they stop. */
const SETTLE_MS = 180;

/**
 * Rows open in the pane where there is one, and the pane follows the keyboard. Only the address changes: the pane reads its row,
 * the list stays as it is. Without script the links still work.
 */
export function OpenRows({ children }: { readonly children: ReactNode }) {
  const router = useRouter();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
    },
    [],
  );

  const open = (event: MouseEvent<HTMLDivElement>): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    const link = linkOf(event.target);
    if (link === undefined || (window.getSelection()?.toString() ?? "") !== "") return;
    event.preventDefault();
    event.stopPropagation();
    clearTimeout(timer.current);
    // From here the keyboard walks on.
    link.focus({ preventScroll: true });
    // Enter on a row that is already shown, and every row without a pane, opens the page.
    if (!window.matchMedia(PANE).matches || (event.detail === 0 && isCurrent(link))) router.push(pageOf(link));
    else goToPlace(link.href);
  };

  const follow = (event: FocusEvent<HTMLDivElement>): void => {
    const link = linkOf(event.target);
    if (link === undefined || !event.target.matches(":focus-visible") || !window.matchMedia(PANE).matches) return;
    clearTimeout(timer.current);
    if (isCurrent(link)) return;
    timer.current = setTimeout(() => {
      goToPlace(link.href, "replace");
    }, SETTLE_MS);
  };

  return (
    <div onClickCapture={open} onFocusCapture={follow}>
      {children}
    </div>
  );
}

function linkOf(target: EventTarget): HTMLAnchorElement | undefined {
  if (!(target instanceof Element)) return undefined;
  const control = target.closest("a, button, input, label, select, summary");
  if (control !== null && !control.matches("[data-row-link]")) return undefined;
  return target.closest("tr[data-row]")?.querySelector<HTMLAnchorElement>("a[data-row-link]") ?? undefined;
}

function isCurrent(link: HTMLAnchorElement): boolean {
  return link.closest("tr[data-current]") !== null;
}

function pageOf(link: HTMLAnchorElement): string {
  return link.closest<HTMLElement>("tr[data-row]")?.dataset["page"] ?? link.href;
}
