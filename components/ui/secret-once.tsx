import type { ReactNode } from "react";
import { CopyText } from "./values/copy-text";
import styles from "./secret-once.module.css";

export interface SecretOnceProps {
  readonly secret: string;
  /** On the button that copies it: "Copy the key". */
  readonly copy: string;
  /** That it is not shown again, and what whoever loses it does. */
  readonly children?: ReactNode;
  /** For tests: the words around it say nothing that tells it apart. */
  readonly testId?: string | undefined;
}

/** What is shown once and kept nowhere: a key, a secret, a link. */
export function SecretOnce({ secret, copy, children, testId }: SecretOnceProps) {
  return (
    <div className={styles["secret"]}>
      <code data-testid={testId}>{secret}</code>
      <CopyText text={secret}>{copy}</CopyText>
      {children !== undefined && <p className="hint">{children}</p>}
    </div>
  );
}
