"use client";

import { useRouter } from "next/navigation";
import { useCallback, useRef, useState } from "react";
import { v7 as uuidv7 } from "uuid";

export type ActionAnswer =
  | { readonly kind: "done"; readonly message: string }
  | { readonly kind: "already"; readonly message: string; readonly firstClick: string }
  | { readonly kind: "refused"; readonly message: string; readonly requestId: string | undefined }
  | { readonly kind: "no-answer" };

export interface AdminAction {
  readonly busy: boolean;
  readonly answer: ActionAnswer | undefined;
  /** Forgets the key and the answer: a newly opened dialog is a new command. */
  readonly begin: () => void;
  readonly send: (path: string, body: Readonly<Record<string, unknown>>) => Promise<void>;
}

const TIMEOUT_MS = 30_000;

interface AnswerBody {
  readonly message?: unknown;
  readonly detail?: unknown;
  readonly title?: unknown;
}

function words(body: AnswerBody, otherwise: string): string {
  for (const text of [body.message, body.detail, body.title]) if (typeof text === "string") return text;
  return otherwise;
}

/** One command to the admin API: one key for the whole opened dialog, so that a second click changes nothing. */
export function useAdminAction(): AdminAction {
  const router = useRouter();
  const [busy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<ActionAnswer>();
  const command = useRef<{ key: string; firstClick: string | undefined }>(undefined);

  const begin = useCallback(() => {
    command.current = { key: uuidv7(), firstClick: undefined };
    setAnswer(undefined);
    setBusy(false);
  }, []);

  const send = useCallback(
    async (path: string, body: Readonly<Record<string, unknown>>) => {
      const current = (command.current ??= { key: uuidv7(), firstClick: undefined });
      const firstClick = (current.firstClick ??= new Date().toISOString());
      setBusy(true);
      try {
        const response = await fetch(path, {
          method: "POST",
          headers: { "Content-Type": "application/json", "Idempotency-Key": current.key },
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(TIMEOUT_MS),
        });
        const said = (await response.json().catch(() => ({}))) as AnswerBody;
        const requestId = response.headers.get("x-request-id") ?? undefined;
        if (!response.ok) {
          setAnswer({
            kind: "refused",
            message: words(said, `The server answered ${String(response.status)}.`),
            requestId,
          });
        } else if (response.headers.get("idempotent-replayed") === "true") {
          setAnswer({ kind: "already", message: words(said, ""), firstClick });
        } else {
          setAnswer({ kind: "done", message: words(said, "Done.") });
        }
        router.refresh();
      } catch {
        setAnswer({ kind: "no-answer" });
      } finally {
        setBusy(false);
      }
    },
    [router],
  );

  return { busy, answer, begin, send };
}
