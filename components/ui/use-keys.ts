"use client";

import { useEffect, useRef } from "react";

/** Single-key shortcuts of a page: quiet while somebody types, a dialog is open or another key is held. */
export function useKeys(onKey: (event: KeyboardEvent) => void): void {
  const latest = useRef(onKey);
  useEffect(() => {
    latest.current = onKey;
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => {
      if (!event.metaKey && !event.ctrlKey && !event.altKey && !isTyping(event.target)) latest.current(event);
    };
    document.addEventListener("keydown", listener);
    return () => {
      document.removeEventListener("keydown", listener);
    };
  }, []);
}

/** @returns whether a key press belongs to a field or an open dialog, so that single-key shortcuts stay quiet. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest("dialog[open]") !== null) return true;
  if (target instanceof HTMLInputElement && /^(checkbox|radio|button)$/.test(target.type)) return false;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}
