"use client";

import { useId, type MouseEvent, type ReactNode } from "react";
import { usePopup } from "./use-popup";
import styles from "./popup.module.css";

export interface ToolMenuProps {
  /** On its button: "Columns". */
  readonly label: string;
  readonly children: ReactNode;
}

/** A small button above a list, and the panel under it. A link in the panel closes it. */
export function ToolMenu({ label, children }: ToolMenuProps) {
  const { open, toggle, close, root, button } = usePopup();
  const id = useId();
  const follow = (event: MouseEvent<HTMLDivElement>): void => {
    if (event.target instanceof Element && event.target.closest("a[href]:not([download])") !== null) close();
  };
  return (
    <div ref={root} className={styles["root"]}>
      <button
        ref={button}
        type="button"
        className={styles["tool"]}
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={toggle}
      >
        {label}
      </button>
      {open && (
        <div
          id={id}
          className={styles["panel"]}
          data-popup
          data-side="right"
          role="group"
          aria-label={label}
          onClick={follow}
        >
          {children}
        </div>
      )}
    </div>
  );
}
