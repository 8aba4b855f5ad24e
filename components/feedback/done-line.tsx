"use client";

import { createContext, useContext, useMemo, useState, type ReactNode } from "react";
import { Button } from "@/components/ui/button";
import styles from "./done-line.module.css";

interface Done {
  readonly message: string | undefined;
  readonly say: (message: string | undefined) => void;
}

const DoneContext = createContext<Done | undefined>(undefined);

/** Keeps what the last action answered when the place where it was asked for is gone: a settled doubt has no form any more. */
export function DoneKeeper({ children }: { readonly children: ReactNode }) {
  const [message, say] = useState<string>();
  const done = useMemo<Done>(() => ({ message, say }), [message]);
  return <DoneContext value={done}>{children}</DoneContext>;
}

/** @returns what keeps an answer on this page; undefined where no page keeps one. */
export function useDoneLine(): Done["say"] | undefined {
  return useContext(DoneContext)?.say;
}

/** Stays until somebody dismisses it or goes to another page. */
export function DoneLine() {
  const done = useContext(DoneContext);
  return (
    <div role="status">
      {done?.message !== undefined && (
        <p className={styles["done"]}>
          <span>
            <b>Done:</b> {done.message}
          </span>
          <Button
            small
            onClick={() => {
              done.say(undefined);
            }}
          >
            Dismiss
          </Button>
        </p>
      )}
    </div>
  );
}
