"use client";

import { useId, type RefObject } from "react";
import styles from "./access.module.css";

export interface SecretFieldProps {
  readonly kind: "password" | "code";
  readonly label: string;
  readonly input: RefObject<HTMLInputElement | null>;
}

const MAX = { password: 128, code: 32 } as const;

/** A field for what a person proves themselves with. */
export function SecretField({ kind, label, input }: SecretFieldProps) {
  const id = useId();
  return (
    <div className={styles["field"]}>
      <label htmlFor={id}>{label}</label>
      <input
        ref={input}
        id={id}
        type={kind === "password" ? "password" : "text"}
        autoComplete={kind === "password" ? "current-password" : "one-time-code"}
        autoCapitalize="none"
        spellCheck={false}
        maxLength={MAX[kind]}
        required
      />
    </div>
  );
}
