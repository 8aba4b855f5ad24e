import type { ReactNode } from "react";
import { Popup } from "./popup";
import styles from "./popup.module.css";

export function ToolMenu({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <Popup button={label} className={styles["tool"]} label={label}>
      {children}
    </Popup>
  );
}
