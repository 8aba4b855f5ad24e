"use client";

import { AskedDialog, type DialogWords } from "@/components/feedback/action-dialog";
import { useDialogOf } from "@/components/feedback/use-dialog";
import { endSkipped } from "@/presentation/access/people-claims";
import { plural } from "@/presentation/format/words";
import type { SessionRow } from "@/presentation/views/access";

const SENT = { path: "/api/v1/admin/sessions/end", reason: "none" } as const;

/** The dialog that the address asks for. @param others all sessions but the one that asks */
export function SessionDialogs({ others }: { readonly others: readonly SessionRow[] }) {
  const { name, verb, row } = useDialogOf(others);
  const count = name === "end-others" && others.length > 0 ? others.length : undefined;
  const ofRow = row !== undefined && verb === "end" ? endWords(row) : undefined;
  return <AskedDialog name={name} words={count === undefined ? ofRow : endOthersWords(count)} />;
}

function endOthersWords(count: number): DialogWords {
  return {
    title: `End ${plural(count, "other session")}?`,
    effect: "Each of them has to sign in again.",
    notDone: "The session that you are using stays.",
    skipped: endSkipped(count),
    verb: `End ${plural(count, "session")}`,
    ...SENT,
  };
}

function endWords({ id, device, address }: SessionRow): DialogWords {
  return {
    title: "End 1 session?",
    effect: "Whoever uses it has to sign in again.",
    evidence: address === undefined ? device : `${device}, from ${address}`,
    notDone: "Your password stays as it is.",
    verb: "End 1 session",
    body: { session: id },
    ...SENT,
  };
}
