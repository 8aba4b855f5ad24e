"use client";

import { useEffect, useRef } from "react";
import { isTyping } from "./is-typing";

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
