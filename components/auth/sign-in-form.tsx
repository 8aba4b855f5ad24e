"use client";

import { below } from "@/components/ui/base-path";
import { useEffect, useRef, useState, type ComponentProps, type SubmitEvent } from "react";
import { keepBrowserZone } from "@/components/shell/browser-zone";
import { Button } from "@/components/ui/button";
import { AuthField, useReady } from "./auth-field";
import { sendCode, sendSignIn, signedInAlready, type SignInField, type SignInProblem } from "./send-sign-in";
import styles from "./sign-in-form.module.css";

export interface SignInFormProps {
  /** A path of this site; checked by the page. */
  readonly next: string;
}

interface SignInInput extends Omit<ComponentProps<typeof AuthField>, "invalid"> {
  /** Its name too. */
  readonly id: SignInField;
}

const FIELDS: Readonly<Record<"password" | "code", readonly SignInInput[]>> = {
  password: [
    {
      id: "email",
      label: "E-mail",
      type: "email",
      inputMode: "email",
      autoComplete: "username",
      autoCapitalize: "none",
      spellCheck: false,
      maxLength: 254,
      autoFocus: true,
    },
    { id: "password", label: "Password", type: "password", autoComplete: "current-password", maxLength: 128 },
  ],
  code: [
    {
      id: "code",
      label: "Code of your authenticator",
      inputMode: "text",
      autoComplete: "one-time-code",
      autoCapitalize: "none",
      spellCheck: false,
      maxLength: 32,
      "aria-describedby": "sign-in-code-hint",
      children: (
        <p className="note" id="sign-in-code-hint">
          Six digits. Without the authenticator, one of your backup codes; each opens once.
        </p>
      ),
    },
  ],
};

/** A link in a chat or a ticket comes without our strict cookie: somebody who is signed in goes on at once. */
function useGoOnWhenSignedIn(next: string): void {
  useEffect(() => {
    const stop = new AbortController();
    void signedInAlready(stop.signal).then((yes) => {
      if (yes) window.location.replace(below(next));
    });
    return () => {
      stop.abort();
    };
  }, [next]);
}

/** E-mail and password, then a code where one is asked for; on success a full page load, so that nothing of an earlier person stays in memory. */
export function SignInForm({ next }: SignInFormProps) {
  const ready = useReady();
  const [step, setStep] = useState<keyof typeof FIELDS>("password");
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<SignInProblem>();
  const form = useRef<HTMLFormElement>(null);

  useGoOnWhenSignedIn(next);
  useEffect(keepBrowserZone, []);

  const field = (name: SignInField): HTMLInputElement | null => form.current?.querySelector(`[name=${name}]`) ?? null;
  const valueOf = (name: SignInField): string => field(name)?.value ?? "";
  useEffect(() => {
    form.current?.querySelector<HTMLInputElement>(step === "code" ? "[name=code]" : "[name=email]")?.focus();
  }, [step]);

  const fail = (found: SignInProblem): void => {
    setProblem(found);
    setSending(false);
    if (found.over === true) setStep("password");
    const at = field(found.field);
    if (found.field !== "email" && at !== null) at.value = "";
    at?.focus();
  };

  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (sending) return;
    setSending(true);
    setProblem(undefined);
    const answer =
      step === "code" ? await sendCode(valueOf("code")) : await sendSignIn(valueOf("email"), valueOf("password"));
    if (answer === "in") window.location.assign(below(next));
    else if (answer === "code") {
      setSending(false);
      setStep("code");
    } else fail(answer);
  };

  return (
    <form ref={form} className={styles["form"]} method="post" noValidate onSubmit={(event) => void submit(event)}>
      {FIELDS[step].map((input) => (
        <AuthField
          key={input.id}
          {...(problem !== undefined && { "aria-describedby": "sign-in-problem" })}
          {...input}
          name={input.id}
          invalid={problem?.invalid.includes(input.id) === true}
        />
      ))}
      <p className={styles["problem"]} id="sign-in-problem" role="alert">
        {problem?.text}
      </p>
      <Button type="submit" primary wide disabled={!ready || sending}>
        {sending ? "Signing in…" : step === "code" ? "Sign in with the code" : "Sign in"}
      </Button>
    </form>
  );
}
