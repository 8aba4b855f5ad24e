"use client";

import { useId, useState, type ReactNode, type SubmitEvent } from "react";
import { useLive } from "@/components/shell/live-provider";
import { Button } from "@/components/ui/button";
import { Row } from "@/components/ui/row";
import { sendTwoFactor } from "./send-two-factor";
import styles from "./access.module.css";

type SecretKind = "password" | "code";

interface SecretFormProps<Value> {
  readonly step: "start" | "confirm" | "stop";
  /** What a person proves themselves with, each with its label. */
  readonly secrets: Readonly<Partial<Record<SecretKind, string>>>;
  readonly verb: string;
  readonly primary?: boolean | undefined;
  readonly onDone: (value: Value) => void;
  readonly children: ReactNode;
}

/** One step of the second factor: sends what proves the person, and says what went wrong. */
export function SecretForm<Value>({ step, secrets, verb, primary, onDone, children }: SecretFormProps<Value>) {
  const { tenant } = useLive();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    const { password, code } = Object.fromEntries(new FormData(event.currentTarget));
    const answer = await sendTwoFactor<Value>(step, tenant, {
      ...(typeof password === "string" && { password }),
      ...(typeof code === "string" && { code: code.trim() }),
    });
    setBusy(false);
    setProblem(answer.ok ? undefined : answer.problem);
    if (answer.ok) onDone(answer.value);
  };

  return (
    <form className={styles["step"]} onSubmit={(event) => void submit(event)}>
      {children}
      {secrets.password !== undefined && <SecretField kind="password" label={secrets.password} />}
      {secrets.code !== undefined && <SecretField kind="code" label={secrets.code} />}
      <p className="broken" role="alert">
        {problem}
      </p>
      <Row>
        <Button primary={primary} type="submit" disabled={busy}>
          {busy ? "Waiting for the answer" : verb}
        </Button>
      </Row>
    </form>
  );
}

const FIELDS = {
  password: { type: "password", autoComplete: "current-password", maxLength: 128 },
  code: { type: "text", autoComplete: "one-time-code", maxLength: 32 },
} as const;

function SecretField({ kind, label }: { readonly kind: SecretKind; readonly label: string }) {
  const id = useId();
  return (
    <div className={styles["field"]}>
      <label className="hint" htmlFor={id}>
        {label}
      </label>
      <input id={id} name={kind} {...FIELDS[kind]} autoCapitalize="none" spellCheck={false} required />
    </div>
  );
}
