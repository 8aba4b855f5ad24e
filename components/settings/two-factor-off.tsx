"use client";

import { useRouter } from "next/navigation";
import { useRef, useState, type SubmitEvent } from "react";
import { useLive } from "@/components/shell/live-provider";
import { Button } from "@/components/ui/button";
import { SecretField } from "./secret-field";
import { sendTwoFactor } from "./send-two-factor";
import styles from "./access.module.css";

/** Password and code together, so that neither a lent console nor a stolen password is enough. */
export function TwoFactorOff() {
  const { tenant } = useLive();
  const router = useRouter();
  const password = useRef<HTMLInputElement>(null);
  const code = useRef<HTMLInputElement>(null);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    const sent = await sendTwoFactor("stop", tenant, {
      password: password.current?.value ?? "",
      code: code.current?.value.trim() ?? "",
    });
    setBusy(false);
    setProblem(sent.ok ? undefined : sent.problem);
    if (sent.ok) router.refresh();
  };

  return (
    <form className={styles["step"]} onSubmit={(event) => void submit(event)}>
      <p>
        Turning it off makes your password alone enough again. To move to another authenticator, turn it off and set it
        up there.
      </p>
      <SecretField kind="password" label="Your password" input={password} />
      <SecretField kind="code" label="Code of your authenticator, or a backup code" input={code} />
      <p className={styles["problem"]} role="alert">
        {problem}
      </p>
      <div className={styles["row"]}>
        <Button type="submit" disabled={busy}>
          {busy ? "Waiting for the answer" : "Turn the second factor off"}
        </Button>
      </div>
    </form>
  );
}
