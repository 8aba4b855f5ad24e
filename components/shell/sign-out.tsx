"use client";

import { askOwn, below } from "@/components/ui/base-path";
import styles from "./sidebar.module.css";

/** Ends the session and goes to sign-in with a full page load, so that nothing read before stays in memory. */
export async function signOut(): Promise<void> {
  await askOwn("/api/auth/sign-out", { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" });
  window.location.assign(below("/sign-in"));
}

export function SignOut() {
  return (
    <button type="button" className={styles["linkButton"]} onClick={() => void signOut()}>
      Sign out
    </button>
  );
}
