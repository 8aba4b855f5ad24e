"use client";

import { below } from "@/components/ui/base-path";
import { useCopy } from "./use-copy";
import styles from "./copy-text.module.css";

export interface CopyTextProps {
  /** What is copied; a text that starts with `/` is copied as a whole address. */
  readonly text: string;
  readonly children: string;
}

/** Copies a text; looks like a link because it stands among words. */
export function CopyText({ text, children }: CopyTextProps) {
  const clipboard = useCopy();
  return (
    <button
      type="button"
      className={styles["copy"]}
      data-command
      onClick={() => {
        clipboard.copy(text.startsWith("/") ? new URL(below(text), window.location.href).href : text);
      }}
    >
      {children}
      <span className={styles["said"]} role="status">
        {clipboard.copied ? "Copied" : ""}
      </span>
    </button>
  );
}
