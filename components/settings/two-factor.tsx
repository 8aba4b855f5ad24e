"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, type SubmitEvent, useId, useState } from "react";
import { memberText, postJson, type JsonAnswer } from "@/components/feedback/post-json";
import { useLive } from "@/components/shell/live-provider";
import { Button } from "@/components/ui/button";
import { Row } from "@/components/ui/row";
import { CopyText } from "@/components/ui/values/copy-text";
import { SecretOnce } from "@/components/ui/secret-once";
import styles from "./access.module.css";

/** What the set-up shows, this once. */
interface Start {
  readonly secret: string;
  readonly qr: { readonly size: number; readonly path: string };
  readonly backupCodes: readonly string[];
}

/** Three steps: prove it is you, scan and confirm, keep the backup codes. Nothing is on before the second. */
export function TwoFactorSetUp() {
  const [start, setStart] = useState<Start>();
  const [on, setOn] = useState(false);
  if (start === undefined) {
    return (
      <SecretForm<Start>
        step="start"
        secrets={{ password: "Your password" }}
        verb="Set up a second factor"
        primary
        onDone={setStart}
      >
        <p>You need an authenticator: an app on your phone that shows a new code every half minute.</p>
      </SecretForm>
    );
  }
  if (on) return <BackupCodes codes={start.backupCodes} />;
  return (
    <SecretForm
      key="confirm"
      step="confirm"
      secrets={{ code: "Code that it shows now" }}
      verb="Turn it on"
      primary
      onDone={() => {
        setOn(true);
      }}
    >
      <p>Scan this with the authenticator, or type the secret into it. Both are shown this once.</p>
      <Qr {...start.qr} />
      <SecretOnce secret={start.secret} copy="Copy the secret" testId="totp-secret" />
    </SecretForm>
  );
}

function Qr({ size, path }: Start["qr"]) {
  return (
    <svg
      className={styles["qr"]}
      viewBox={`0 0 ${String(size)} ${String(size)}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label="QR code of the secret below"
    >
      <path d={path} />
    </svg>
  );
}

function BackupCodes({ codes }: { readonly codes: readonly string[] }) {
  const router = useRouter();
  return (
    <div className={styles["step"]}>
      <p role="status">
        The second factor is on. Keep these backup codes where your phone is not: each works once instead of a code, and
        they are not shown again.
      </p>
      <ul className={styles["codes"]} aria-label="Backup codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Row>
        <CopyText text={codes.join("\n")}>Copy all</CopyText>
        <Button
          primary
          onClick={() => {
            router.refresh();
          }}
        >
          I have kept them
        </Button>
      </Row>
    </div>
  );
}

/** Password and code together, so that neither a lent console nor a stolen password is enough. */
export function TwoFactorOff() {
  const router = useRouter();
  return (
    <SecretForm
      step="stop"
      secrets={{ password: "Your password", code: "Code of your authenticator, or a backup code" }}
      verb="Turn the second factor off"
      onDone={() => {
        router.refresh();
      }}
    >
      <p>
        Turning it off makes your password alone enough again. To move to another authenticator, turn it off and set it
        up there.
      </p>
    </SecretForm>
  );
}

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
function SecretForm<Value>({ step, secrets, verb, primary, onDone, children }: SecretFormProps<Value>) {
  const { tenant } = useLive();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    const { password, code } = Object.fromEntries(new FormData(event.currentTarget));
    const answer = await postJson(
      `/api/v1/admin/two-factor/${step}`,
      {
        ...(typeof password === "string" && { password }),
        ...(typeof code === "string" && { code: code.trim() }),
      },
      { "onceboard-tenant": tenant },
    );
    setBusy(false);
    setProblem(problemOf(answer));
    if (answer?.ok === true && answer.body !== undefined) onDone(answer.body as Value);
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

function problemOf(answer: JsonAnswer | undefined): string | undefined {
  if (answer?.body === undefined) return "Nothing says what became of it. Load the page again to see what is on.";
  return answer.ok ? undefined : (memberText(answer, "detail") ?? "It was not accepted.");
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
