"use client";

import { useEffect, useRef } from "react";
import { FindForm } from "@/components/find/find-form";
import { isTyping } from "@/components/ui/use-keys";
import styles from "./top-bar.module.css";

const MAX_QUERY = 300;

/** Any key, id, reference or amount; `/` jumps into it. */
export function FindBox() {
  const field = useRef<HTMLInputElement>(null);

  useEffect(() => {
    const jump = (event: KeyboardEvent): void => {
      if (event.key !== "/" || event.metaKey || event.ctrlKey || isTyping(event.target)) return;
      event.preventDefault();
      field.current?.focus();
      field.current?.select();
    };
    document.addEventListener("keydown", jump);
    return () => {
      document.removeEventListener("keydown", jump);
    };
  }, []);

  return (
    <FindForm className={styles["find"]}>
      <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden>
        <circle cx="7" cy="7" r="4.25" />
        <path d="m10.3 10.3 3.2 3.2" />
      </svg>
      <input
        ref={field}
        name="q"
        maxLength={MAX_QUERY}
        autoComplete="off"
        spellCheck={false}
        placeholder="Find a key, id, reference or amount"
        aria-label="Find a key, id, reference or amount"
      />
      <kbd aria-hidden>/</kbd>
    </FindForm>
  );
}
