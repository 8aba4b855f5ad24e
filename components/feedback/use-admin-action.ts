"use client";

import { useCallback, useRef, useState } from "react";
import { v7 as uuidv7 } from "uuid";
import { useLive } from "@/components/shell/live-provider";

export type ActionState =
  | { readonly kind: "done"; readonly message: string }
  | { readonly kind: "already"; readonly message: string; readonly doneBefore: string }
  | {
      readonly kind: "refused";
      readonly message: string;
      readonly requestId: string | undefined;
      /** What is wrong with which member, for a form that has fields of its own. */
      readonly errors?: readonly MemberError[] | undefined;
    }
  /** The server wants the person to prove again who they are; the same command waits for it. */
  | { readonly kind: "confirm"; readonly message: string; readonly by: readonly string[] }
  | { readonly kind: "no-answer" };

export interface MemberError {
  readonly path: string;
  readonly message: string;
}

export interface AdminAction {
  readonly busy: boolean;
  readonly answer: ActionState | undefined;
  /** Why nothing can be sent now: the connection or the session is gone. */
  readonly whyOff: string | undefined;
  /** Forgets the key and the answer: a newly opened dialog is a new command. */
  readonly begin: () => void;
  /**
   * Proves it and sends the waiting command again, under its first key.
   * @returns as send
   */
  readonly confirm: (proof: StepUpProof) => Promise<Readonly<Record<string, unknown>> | undefined>;
  /** @returns what the server answered when it did it, now or at the first click */
  readonly send: (
    path: string,
    body: Readonly<Record<string, unknown>>,
  ) => Promise<Readonly<Record<string, unknown>> | undefined>;
}

/** One of the two. */
export type StepUpProof = { readonly password: string } | { readonly code: string };

const TIMEOUT_MS = 30_000;
const SIGNED_OUT = "You are signed out. Sign in in another tab, then press again: what you wrote stays.";
const STEP_UP = "/api/v1/admin/step-up";

interface AdminCommand {
  readonly key: string;
  startedAt: string | undefined;
  path?: string;
  body?: Readonly<Record<string, unknown>>;
}

type AnswerMember = "message" | "detail" | "title" | "affected" | "skipped" | "errors" | "code" | "confirmBy";
type AnswerBody = Readonly<Partial<Record<AnswerMember, unknown>>>;

function refusalOf(result: AnswerBody, status: number, requestId: string | undefined): ActionState {
  const message = words(result, `The server answered ${String(status)}.`);
  if (result.code !== "auth.step_up_required")
    return { kind: "refused", message, requestId, errors: memberErrors(result) };
  const by: readonly unknown[] = Array.isArray(result.confirmBy) ? result.confirmBy : [];
  return { kind: "confirm", message: "Prove that it is you.", by: by.filter((way) => typeof way === "string") };
}

function memberErrors({ errors }: AnswerBody): readonly MemberError[] {
  const reported: readonly Partial<MemberError>[] = Array.isArray(errors) ? errors : [];
  return reported.flatMap(({ path, message }) =>
    typeof path === "string" && typeof message === "string" ? [{ path, message }] : [],
  );
}

function words(body: AnswerBody, otherwise: string): string {
  for (const text of [body.message, body.detail, body.title]) if (typeof text === "string") return text;
  return counted(body) ?? otherwise;
}

/** "1 changed, 0 skipped.", and why what was skipped was. */
function counted({ affected, skipped }: AnswerBody): string | undefined {
  if (typeof affected !== "number") return undefined;
  const left: readonly { readonly why?: unknown }[] = Array.isArray(skipped) ? skipped : [];
  const because = left.map(({ why }) => why).find((why) => typeof why === "string");
  return `${String(affected)} done, ${String(left.length)} skipped.${because === undefined ? "" : ` ${because}`}`;
}

/** @returns what went wrong; undefined when the session counts as confirmed */
async function stepUp(proof: StepUpProof, tenant: string): Promise<string | undefined> {
  try {
    const response = await fetch(STEP_UP, {
      method: "POST",
      headers: { "Content-Type": "application/json", "onceboard-tenant": tenant },
      body: JSON.stringify(proof),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.ok) return undefined;
    return words((await response.json().catch(() => ({}))) as AnswerBody, "It was not accepted.");
  } catch {
    return "No answer came back. Nothing was done. Press again.";
  }
}

/** One command to the admin API: one key for the whole opened dialog, so that a second click changes nothing. */
export function useAdminAction(): AdminAction {
  const { tenant, whyOff, show } = useLive();
  const [busy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<ActionState>();
  const command = useRef<AdminCommand>(undefined);

  const begin = useCallback(() => {
    command.current = { key: uuidv7(), startedAt: undefined };
    setAnswer(undefined);
    setBusy(false);
  }, []);

  const send = useCallback(
    async (path: string, body: Readonly<Record<string, unknown>>) => {
      if (whyOff !== undefined) {
        setAnswer({ kind: "refused", message: `${whyOff} Nothing was sent.`, requestId: undefined });
        return undefined;
      }
      const current = (command.current ??= { key: uuidv7(), startedAt: undefined });
      const doneBefore = (current.startedAt ??= new Date().toISOString());
      Object.assign(current, { path, body });
      setBusy(true);
      try {
        const response = await fetch(path, {
          method: "POST",
          headers: { "Content-Type": "application/json", "Idempotency-Key": current.key, "onceboard-tenant": tenant },
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(TIMEOUT_MS),
        });
        const result = (await response.json().catch(() => ({}))) as AnswerBody;
        const requestId = response.headers.get("request-id") ?? undefined;
        if (response.status === 401) {
          // Reading the page again would lead to sign-in, and what was written here would be lost.
          setAnswer({ kind: "refused", message: SIGNED_OUT, requestId });
          return undefined;
        }
        if (!response.ok) {
          setAnswer(refusalOf(result, response.status, requestId));
        } else if (response.headers.get("idempotent-replayed") === "true") {
          setAnswer({ kind: "already", message: words(result, ""), doneBefore });
        } else {
          setAnswer({ kind: "done", message: words(result, "Done.") });
        }
        show();
        return response.ok ? { ...result } : undefined;
      } catch {
        setAnswer({ kind: "no-answer" });
        return undefined;
      } finally {
        setBusy(false);
      }
    },
    [show, tenant, whyOff],
  );

  const confirm = useCallback(
    async (proof: StepUpProof) => {
      const { path, body } = command.current ?? {};
      if (path === undefined || body === undefined) return undefined;
      setBusy(true);
      const problem = await stepUp(proof, tenant);
      if (problem === undefined) return send(path, body);
      setAnswer((before) => (before?.kind === "confirm" ? { ...before, message: problem } : before));
      setBusy(false);
      return undefined;
    },
    [send, tenant],
  );

  return { busy, answer, whyOff, begin, send, confirm };
}
