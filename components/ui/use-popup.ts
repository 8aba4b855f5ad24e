"use client";

import { useCallback, useEffect, useRef, useState, type RefObject } from "react";

export interface Popup {
  readonly open: boolean;
  readonly toggle: () => void;
  readonly show: () => void;
  readonly close: () => void;
  /** Of the element that holds button and panel. */
  readonly root: RefObject<HTMLDivElement | null>;
  readonly button: RefObject<HTMLButtonElement | null>;
}

const CONTROLS = "input, select, button, a[href], textarea";

/** A panel under its button: opened by it, closed by Escape, by a press elsewhere and when the focus leaves. */
export function usePopup(): Popup {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => {
    setOpen(false);
  }, []);
  const show = useCallback(() => {
    setOpen(true);
  }, []);
  const toggle = useCallback(() => {
    setOpen((was) => !was);
  }, []);

  useEffect(() => {
    if (!open) return;
    const element = root.current;
    element?.querySelector<HTMLElement>(`[data-popup] :is(${CONTROLS})`)?.focus();
    const outside = (event: Event): void => {
      if (event.target instanceof Node && element?.contains(event.target) === false) setOpen(false);
    };
    const escape = (event: KeyboardEvent): void => {
      if (event.key !== "Escape") return;
      setOpen(false);
      button.current?.focus();
    };
    document.addEventListener("pointerdown", outside);
    document.addEventListener("focusin", outside);
    document.addEventListener("keydown", escape);
    return () => {
      document.removeEventListener("pointerdown", outside);
      document.removeEventListener("focusin", outside);
      document.removeEventListener("keydown", escape);
    };
  }, [open]);

  return { open, toggle, show, close, root, button };
}
