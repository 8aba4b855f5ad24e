"use client";

import { below } from "@/components/ui/base-path";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { beginElsewhere } from "./send-sign-in";
import styles from "./sign-in-form.module.css";

export interface SignInElsewhereProps {
  readonly name: string;
  /** A path of this site; checked by the page. */
  readonly next: string;
  /** Somebody came back from there without a session. */
  readonly refused: boolean;
}

export function SignInElsewhere({ name, next, refused }: SignInElsewhereProps) {
  const [state, setState] = useState<"rest" | "going" | "failed">("rest");
  const go = async (): Promise<void> => {
    setState("going");
    const url = await beginElsewhere(next);
    if (url === undefined) setState("failed");
    else window.location.assign(below(url));
  };
  return (
    <>
      <p className={styles["or"]}>or</p>
      <Button wide disabled={state === "going"} onClick={() => void go()}>
        {`Sign in with ${name}`}
      </Button>
      <p className={styles["problem"]} role="alert">
        {state === "failed" && `${name} does not answer. Try again in a moment.`}
        {state === "rest" && refused && `${name} did not sign you in here. Ask an admin whether you are an operator.`}
      </p>
    </>
  );
}
