"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Row } from "@/components/ui/row";
import { CopyText } from "@/components/ui/values/copy-text";
import { SecretOnce } from "@/components/ui/secret-once";
import { SecretForm } from "./secret-form";
import type { Start } from "./send-two-factor";
import styles from "./access.module.css";

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
        The second factor is on. Keep these backup codes where your phone is not: each signs you in once, and they are
        not shown again.
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
