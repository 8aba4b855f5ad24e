"use client";

import { Button } from "@/components/ui/button";
import { useCopy } from "@/components/ui/values/use-copy";
import styles from "./proof.module.css";

export interface ProofActionsProps {
  /** The signed document, as it is attached to a ticket. */
  readonly json: string;
  readonly fileName: string;
}

/** Takes the proof along: as a file, as text, on paper. It is the one on the screen, not a new one. */
export function ProofActions({ json, fileName }: ProofActionsProps) {
  const clipboard = useCopy();
  return (
    <div className={styles["actions"]}>
      <Button
        onClick={() => {
          download(json, fileName);
        }}
      >
        Download JSON
      </Button>
      <Button
        onClick={() => {
          clipboard.copy(json);
        }}
      >
        Copy JSON
      </Button>
      <Button
        onClick={() => {
          window.print();
        }}
      >
        Print
      </Button>
      <span className={styles["said"]} role="status">
        {clipboard.copied ? "Copied." : ""}
      </span>
    </div>
  );
}

function download(json: string, fileName: string): void {
  const url = URL.createObjectURL(new Blob([json], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}
