"use client";

import { useRouter } from "next/navigation";
import { useRef, useState, type SubmitEvent } from "react";
import { useLive } from "@/components/shell/live-provider";
import { Button } from "@/components/ui/button";
import { CopyText } from "@/components/ui/values/copy-text";
import { SecretOnce } from "@/components/ui/secret-once";
import { SecretField } from "./secret-field";
import { sendTwoFactor, type TwoFactorAnswer, type Start } from "./send-two-factor";
import styles from "./access.module.css";

type Step = { readonly name: "password" } | { readonly name: "scan" | "codes"; readonly start: Start };

/** Three steps: prove it is you, scan and confirm, keep the backup codes. Nothing is on before the second. */
export function TwoFactorSetUp() {
  const { tenant } = useLive();
  const router = useRouter();
  const [step, setStep] = useState<Step>({ name: "password" });
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  const run = async <Value,>(sent: Promise<TwoFactorAnswer<Value>>, then: (value: Value) => void): Promise<void> => {
    if (busy) return;
    setBusy(true);
    const answer = await sent;
    setBusy(false);
    setProblem(answer.ok ? undefined : answer.problem);
    if (answer.ok) then(answer.value);
  };

  switch (step.name) {
    case "password":
      return (
        <PasswordStep
          busy={busy}
          problem={problem}
          onSend={(password) =>
            void run(sendTwoFactor<Start>("start", tenant, { password }), (start) => {
              setStep({ name: "scan", start });
            })
          }
        />
      );
    case "scan":
      return (
        <ScanStep
          start={step.start}
          busy={busy}
          problem={problem}
          onSend={(code) =>
            void run(sendTwoFactor("confirm", tenant, { code }), () => {
              setStep({ name: "codes", start: step.start });
            })
          }
        />
      );
    case "codes":
      return (
        <CodesStep
          codes={step.start.backupCodes}
          onDone={() => {
            router.refresh();
          }}
        />
      );
  }
}

interface StepProps {
  readonly busy: boolean;
  readonly problem: string | undefined;
  readonly onSend: (secret: string) => void;
}

function PasswordStep({ busy, problem, onSend }: StepProps) {
  const password = useRef<HTMLInputElement>(null);
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onSend(password.current?.value ?? "");
  };
  return (
    <form className={styles["step"]} onSubmit={submit}>
      <p>You need an authenticator: an app on your phone that shows a new code every half minute.</p>
      <SecretField kind="password" label="Your password" input={password} />
      <Problem text={problem} />
      <div className={styles["row"]}>
        <Button primary type="submit" disabled={busy}>
          {busy ? "Waiting for the answer" : "Set up a second factor"}
        </Button>
      </div>
    </form>
  );
}

function ScanStep({ start, busy, problem, onSend }: StepProps & { readonly start: Start }) {
  const code = useRef<HTMLInputElement>(null);
  const side = String(start.qr.size);
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onSend(code.current?.value.trim() ?? "");
  };
  return (
    <form className={styles["step"]} onSubmit={submit}>
      <p>Scan this with the authenticator, or type the secret into it. Both are shown this once.</p>
      <svg
        className={styles["qr"]}
        viewBox={`0 0 ${side} ${side}`}
        shapeRendering="crispEdges"
        role="img"
        aria-label="QR code of the secret below"
      >
        <path d={start.qr.path} />
      </svg>
      <SecretOnce secret={start.secret} copy="Copy the secret" testId="totp-secret" />
      <SecretField kind="code" label="Code that it shows now" input={code} />
      <Problem text={problem} />
      <div className={styles["row"]}>
        <Button primary type="submit" disabled={busy}>
          {busy ? "Waiting for the answer" : "Turn it on"}
        </Button>
      </div>
    </form>
  );
}

function CodesStep({ codes, onDone }: { readonly codes: readonly string[]; readonly onDone: () => void }) {
  return (
    <div className={styles["step"]}>
      <p role="status">
        The second factor is on. Keep these backup codes where your phone is not: each signs you in once, and they are
        not shown again.
      </p>
      <ul className={styles["codes"]} aria-label="Backup codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles["row"]}>
        <CopyText text={codes.join("\n")}>Copy all</CopyText>
        <Button primary onClick={onDone}>
          I have kept them
        </Button>
      </div>
    </div>
  );
}

function Problem({ text }: { readonly text: string | undefined }) {
  return (
    <p className={styles["problem"]} role="alert">
      {text}
    </p>
  );
}
