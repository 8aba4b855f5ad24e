"use client";

import { ActionAnswerView } from "@/components/feedback/action-answer";
import { useAdminAction } from "@/components/feedback/use-admin-action";
import { Button } from "@/components/ui/button";
import styles from "./invariants.module.css";

/** Runs every check now. A click is one command; its answer stays beside the button. */
export function CheckNow({ notOffered }: { readonly notOffered: string | undefined }) {
  const { busy, answer, whyOff, begin, send } = useAdminAction();
  const off = notOffered ?? whyOff;
  return (
    <div className={styles["now"]}>
      <Button
        notOffered={off}
        disabled={busy}
        onClick={() => {
          // After a lost answer the same key goes again, so that it is still one command.
          if (answer?.kind !== "no-answer") begin();
          void send("/api/v1/admin/invariants/check", {});
        }}
      >
        {busy ? "Checking" : "Check now"}
      </Button>
      {off !== undefined && <p className={styles["why"]}>{off}</p>}
      <ActionAnswerView answer={answer} />
    </div>
  );
}
