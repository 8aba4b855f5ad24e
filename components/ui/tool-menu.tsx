import type { ReactNode } from "react";
import { Popup } from "./popup";
import styles from "./popup.module.css";

export interface ToolMenuProps {
  /** On its button: "Columns". */
  readonly label: string;
  readonly children: ReactNode;
}

/** A small button above a list, and the panel under it. */
export function ToolMenu({ label, children }: ToolMenuProps) {
  return (
    <Popup button={label} className={styles["tool"]} label={label}>
      {children}
    </Popup>
  );
}
