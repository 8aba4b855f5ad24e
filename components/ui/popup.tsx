"use client";

import { useEffect, useId, useRef, useState, type MouseEvent, type ReactNode, type RefObject } from "react";
import styles from "./popup.module.css";

export interface PopupProps {
  readonly button: ReactNode;
  readonly className: string | undefined;
  /** Hidden on the phone. */
  readonly wide?: boolean | undefined;
  /** Which side of the button the panel is in line with. */
  readonly side?: "left" | "right" | undefined;
  readonly label: string;
  /** For who opens or closes it from elsewhere. */
  readonly panel?: RefObject<HTMLDivElement | null> | undefined;
  readonly children: ReactNode;
}

const CONTROLS = "input, select, button, a[href], textarea";

/**
 * A button and the panel under it: a native popover, so Escape, a press elsewhere and the place on top are the browser's. It closes
 * too when the focus leaves it, or a link in it is followed.
 */
export function Popup({ button, className, wide, side = "right", label, panel, children }: PopupProps) {
  const [open, setOpen] = useState(false);
  const own = useRef<HTMLDivElement>(null);
  const element = panel ?? own;
  const id = useId();
  useEffect(() => {
    if (open) element.current?.querySelector<HTMLElement>(`:is(${CONTROLS})`)?.focus();
  }, [open, element]);
  const follow = (event: MouseEvent<HTMLDivElement>): void => {
    if (event.target instanceof Element && event.target.closest("a[href]:not([download])") !== null)
      element.current?.hidePopover();
  };
  return (
    <div className={styles["root"]}>
      <button type="button" className={className} data-wide={wide} aria-expanded={open} popoverTarget={id}>
        {button}
      </button>
      <div
        ref={element}
        id={id}
        popover="auto"
        className={styles["panel"]}
        data-popup
        data-side={side}
        role="group"
        aria-label={label}
        onClick={follow}
        onToggle={(event) => {
          setOpen(event.newState === "open");
        }}
        onBlur={({ relatedTarget, currentTarget }) => {
          const root = currentTarget.parentElement;
          if (relatedTarget instanceof Node && root?.contains(relatedTarget) === false) currentTarget.hidePopover();
        }}
      >
        {open && children}
      </div>
    </div>
  );
}
