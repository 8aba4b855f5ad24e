"use client";

import { useCallback, useRef, useState } from "react";
import { v7 as uuidv7 } from "uuid";
import type { ActionState } from "@/components/feedback/use-admin-action";
import { useLive } from "@/components/shell/live-provider";

const TIMEOUT_MS = 15_000;

export interface Bodies {
  readonly command: string | undefined;
  readonly response: string | undefined;
}

interface RevealAnswer {
  readonly command?: unknown;
  readonly response?: unknown;
  readonly detail?: unknown;
}

/** One audited look at the stored bodies; they live in this component's memory and nowhere else. */
export function useReveal() {
  const { tenant, whyOff, show } = useLive();
  const [busy, setBusy] = useState(false);
  const [bodies, setBodies] = useState<Bodies>();
  const [answer, setAnswer] = useState<ActionState>();
  const key = useRef("");

  const begin = useCallback(() => {
    key.current = uuidv7();
    setBodies(undefined);
    setAnswer(undefined);
  }, []);

  const reveal = useCallback(
    async (path: string, reason: string) => {
      setBusy(true);
      try {
        const response = await fetch(path, {
          method: "POST",
          headers: { "Content-Type": "application/json", "Idempotency-Key": key.current, "onceboard-tenant": tenant },
          body: JSON.stringify({ reason }),
          signal: AbortSignal.timeout(TIMEOUT_MS),
        });
        const said = (await response.json().catch(() => ({}))) as RevealAnswer;
        if (response.ok) {
          setAnswer(undefined);
          setBodies({ command: textOf(said.command), response: textOf(said.response) });
          show();
        } else {
          const message =
            typeof said.detail === "string" ? said.detail : `The server answered ${String(response.status)}.`;
          setAnswer({ kind: "refused", message, requestId: response.headers.get("request-id") ?? undefined });
        }
      } catch {
        setAnswer({ kind: "no-answer" });
      } finally {
        setBusy(false);
      }
    },
    [show, tenant],
  );

  return { busy, bodies, answer, whyOff, begin, reveal };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
