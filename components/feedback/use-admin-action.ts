"use client";

import { useCallback, useRef, useState } from "react";
import { v7 as uuidv7 } from "uuid";
import { useLive } from "@/components/shell/live-provider";
import { memberText, postJson, type JsonAnswer } from "./post-json";

export type ActionState =
  | { readonly kind: "done"; readonly message: string }
  | { readonly kind: "already"; readonly message: string; readonly doneBefore: string }
  | {
      readonly kind: "refused";
      readonly message: string;
      readonly requestId: string | undefined;
      /** Of the error. */
      readonly code?: string | undefined;
      /** It may have been done all the same, or may be under way: the same press may be sent again under its key. */
      readonly open?: boolean | undefined;
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

const SIGNED_OUT = "You are signed out. Sign in in another tab, then press again: what you wrote stays.";
const STEP_UP = "/api/v1/admin/step-up";

interface AdminCommand {
  readonly key: string;
  startedAt: string | undefined;
  path?: string;
  body?: Readonly<Record<string, unknown>>;
}

const SERVER_ERROR = 500;

/** An answer that does not say that nothing was done: a commit may have been under way when it was given up. */
function isOpen({ status, body }: JsonAnswer): boolean {
  return status >= SERVER_ERROR || body?.["code"] === "idempotency.in_progress";
}

function refusalOf(answer: JsonAnswer): ActionState {
  const { status, headers, body = {} } = answer;
  const message = words(answer);
  const requestId = headers.get("request-id") ?? undefined;
  // Reading the page again would lead to sign-in, and what was written here would be lost.
  if (status === 401) return { kind: "refused", message: SIGNED_OUT, requestId };
  if (body["code"] !== "auth.step_up_required")
    return {
      kind: "refused",
      message,
      requestId,
      code: typeof body["code"] === "string" ? body["code"] : undefined,
      open: isOpen(answer),
      errors: memberErrors(body["errors"]),
    };
  return askedToConfirm(body["confirmBy"]);
}

/** @param ways of an answer `auth.step_up_required` */
export function askedToConfirm(ways: unknown): Extract<ActionState, { kind: "confirm" }> {
  const by: readonly unknown[] = Array.isArray(ways) ? ways : [];
  return { kind: "confirm", message: "Confirm your identity.", by: by.filter((way) => typeof way === "string") };
}

function memberErrors(errors: unknown): readonly MemberError[] {
  const reported: readonly Partial<MemberError>[] = Array.isArray(errors) ? errors : [];
  return reported.flatMap(({ path, message }) =>
    typeof path === "string" && typeof message === "string" ? [{ path, message }] : [],
  );
}

function words(answer: JsonAnswer, otherwise = `The server answered ${String(answer.status)}.`): string {
  return memberText(answer, "message", "detail", "title") ?? counted(answer.body) ?? otherwise;
}

/** "1 changed, 0 skipped.", and why what was skipped was. */
function counted({ affected, skipped }: NonNullable<JsonAnswer["body"]> = {}): string | undefined {
  if (typeof affected !== "number") return undefined;
  const left: readonly { readonly why?: unknown }[] = Array.isArray(skipped) ? skipped : [];
  const because = left.map(({ why }) => why).find((why) => typeof why === "string");
  return `${String(affected)} done, ${String(left.length)} skipped.${because === undefined ? "" : ` ${because}`}`;
}

/** @returns what went wrong; undefined when the session counts as confirmed */
export async function stepUp(proof: StepUpProof, tenant: string): Promise<string | undefined> {
  const answer = await postJson(STEP_UP, proof, { "onceboard-tenant": tenant });
  if (answer === undefined) return "No answer came back. Press again.";
  return answer.ok ? undefined : words(answer);
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
      const answered = await postJson(path, body, { "Idempotency-Key": current.key, "onceboard-tenant": tenant });
      setBusy(false);
      if (answered === undefined) {
        setAnswer({ kind: "no-answer" });
        return undefined;
      }
      if (!answered.ok) setAnswer(refusalOf(answered));
      else if (answered.headers.get("idempotent-replayed") === "true")
        setAnswer({ kind: "already", message: words(answered, ""), doneBefore });
      else setAnswer({ kind: "done", message: words(answered, "Done.") });
      if (answered.status !== 401) show();
      return answered.ok ? (answered.body ?? {}) : undefined;
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
