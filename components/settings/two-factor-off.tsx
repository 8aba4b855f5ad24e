"use client";

import { useRouter } from "next/navigation";
import { SecretForm } from "./secret-form";

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
