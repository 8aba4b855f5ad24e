"use client";

import { useEffect, useRef, useState, useSyncExternalStore, type SubmitEvent } from "react";
import { Button } from "@/components/ui/button";
import styles from "./sign-in-form.module.css";
import { sendSignIn, signedInAlready, type SignInProblem } from "./send-sign-in";

export interface SignInFormProps {
  /** A path of this site; checked by the page. */
  readonly next: string;
}

const noChange = () => () => undefined;

/** False on the server and until the page answers to keys: a form sent before that would leave the page. */
function useReady(): boolean {
  return useSyncExternalStore(
    noChange,
    () => true,
    () => false,
  );
}

/** A link in a chat or a ticket comes without our strict cookie: somebody who is signed in goes on at once. */
function useGoOnWhenSignedIn(next: string): void {
  useEffect(() => {
    const stop = new AbortController();
    void signedInAlready(stop.signal).then((yes) => {
      if (yes) window.location.replace(next);
    });
    return () => {
      stop.abort();
    };
  }, [next]);
}

/** E-mail and password; on success a full page load, so that nothing of an earlier person stays in memory. */
export function SignInForm({ next }: SignInFormProps) {
  const ready = useReady();
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<SignInProblem>();
  const email = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);

  useGoOnWhenSignedIn(next);

  const fail = (found: SignInProblem): void => {
    setProblem(found);
    setSending(false);
    if (found.field === "password" && password.current !== null) password.current.value = "";
    (found.field === "email" ? email : password).current?.focus();
  };

  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (sending) return;
    setSending(true);
    setProblem(undefined);
    const found = await sendSignIn(email.current?.value ?? "", password.current?.value ?? "");
    if (found === undefined) window.location.assign(next);
    else fail(found);
  };

  const about = problem === undefined ? {} : { "aria-describedby": "sign-in-problem" };
  return (
    <form className={styles["form"]} method="post" noValidate onSubmit={(event) => void submit(event)}>
      <div className={styles["field"]}>
        <label htmlFor="email">E-mail</label>
        <input
          ref={email}
          id="email"
          name="email"
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={254}
          required
          autoFocus
          aria-invalid={problem?.invalid.includes("email") === true}
          {...about}
        />
      </div>
      <div className={styles["field"]}>
        <label htmlFor="password">Password</label>
        <input
          ref={password}
          id="password"
          name="password"
          type="password"
          autoComplete="current-password"
          maxLength={128}
          required
          aria-invalid={problem?.invalid.includes("password") === true}
          {...about}
        />
      </div>
      <p className={styles["problem"]} id="sign-in-problem" role="alert">
        {problem?.text}
      </p>
      <Button type="submit" primary wide disabled={!ready || sending}>
        {sending ? "Signing in…" : "Sign in"}
      </Button>
    </form>
  );
}
