"use client";

import { below, pathHere } from "@/components/ui/base-path";
import { useRef, useState, type SubmitEvent } from "react";
import { Button, ButtonLink } from "@/components/ui/button";
import { AuthField, useReady } from "./auth-field";
import { sendJoin } from "./send-sign-in";
import styles from "./sign-in-form.module.css";

const MIN = 8;

/** One password, then on to sign-in. The secret leaves the address as soon as it was read. */
export function JoinForm() {
  const ready = useReady();
  const password = useRef<HTMLInputElement>(null);
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [email, setEmail] = useState<string>();

  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const chosen = password.current?.value ?? "";
    if (sending) return;
    if (chosen.length < MIN) {
      setProblem(`A password has at least ${String(MIN)} characters.`);
      password.current?.focus();
      return;
    }
    setSending(true);
    const answer = await sendJoin(window.location.hash.slice(1), chosen);
    setSending(false);
    if ("problem" in answer) {
      setProblem(answer.problem);
      return;
    }
    window.history.replaceState(undefined, "", below(pathHere()));
    setEmail(answer.email);
  };

  if (email !== undefined) {
    return (
      <div className={styles["form"]}>
        <p role="status">{`The password of ${email} is set.`}</p>
        <ButtonLink primary wide href="/sign-in">
          Sign in
        </ButtonLink>
      </div>
    );
  }
  return (
    <form className={styles["form"]} method="post" noValidate onSubmit={(event) => void submit(event)}>
      <AuthField
        ref={password}
        id="new-password"
        label="New password"
        name="password"
        type="password"
        autoComplete="new-password"
        maxLength={128}
        autoFocus
        invalid={problem !== undefined}
        aria-describedby="join-problem"
      />
      <p className={styles["problem"]} id="join-problem" role="alert">
        {problem}
      </p>
      <Button type="submit" primary wide disabled={!ready || sending}>
        {sending ? "Setting it…" : "Set the password"}
      </Button>
    </form>
  );
}
