"use client";

import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";
import { isTyping } from "@/components/ui/use-keys";
import styles from "./top-bar.module.css";

const MAX_QUERY = 300;

/** Any key, id, reference or amount; `/` jumps into it. Works without script as a plain form. */
export function FindBox() {
  const router = useRouter();
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
    <form
      className={styles["find"]}
      role="search"
      action="/find"
      onSubmit={(event) => {
        event.preventDefault();
        const query = field.current?.value.trim() ?? "";
        if (query !== "") router.push(`/find?q=${encodeURIComponent(query)}`);
      }}
    >
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
    </form>
  );
}
