"use client";

import { useEffect, useState } from "react";
import { useDoneLine } from "@/components/feedback/done-line";
import { useAdminAction, type ActionState } from "@/components/feedback/use-admin-action";
import { type OperationPolicy, POLICY_FIELDS, type PolicyField } from "@/domain/idempotency/policy";
import type { OperationPolicyView } from "@/presentation/views/policies";
import { draftOf, overridesOf, policyOf, type Draft } from "./policy-draft";

export interface PolicyFormState {
  readonly draft: Draft;
  /** What the draft comes to. */
  readonly policy: OperationPolicy;
  readonly changed: readonly PolicyField[];
  /** The version that the draft stands on is not the newest any more. */
  readonly moved: boolean;
  readonly busy: boolean;
  readonly answer: ActionState | undefined;
  /** Why nothing can be sent now. */
  readonly whyOff: string | undefined;
  /** What the server said about a field. */
  readonly errors: Readonly<Partial<Record<string, string>>>;
  readonly write: (next: Draft) => void;
  /** Takes the newest version's decisions into the fields. */
  readonly takeNewest: () => void;
  readonly send: (reason: string) => void;
}

export function usePolicyForm(view: OperationPolicyView): PolicyFormState {
  const { busy, answer, whyOff, begin, send } = useAdminAction();
  const [base, setBase] = useState(view.version);
  const [draft, setDraft] = useState<Draft>(() => draftOf(view.overrides));
  const keep = useDoneLine();
  useEffect(begin, [begin]);
  useEffect(() => {
    if (answer?.kind === "done") keep?.(answer.message);
  }, [answer, keep]);
  const moved = view.version !== base;
  const takeNewest = (): void => {
    setBase(view.version);
    setDraft(draftOf(view.overrides));
  };
  // Our own change came back with the page: the form stands on it from here.
  if (moved && (answer?.kind === "done" || answer?.kind === "already")) takeNewest();

  const before = draftOf(view.overrides);
  const write = (next: Draft): void => {
    // Another decision is another command: it gets a key of its own.
    if (answer !== undefined && answer.kind !== "no-answer") begin();
    setDraft(next);
  };
  return {
    draft,
    policy: policyOf(draft, view.inherited),
    changed: POLICY_FIELDS.filter((field) => draft[field].trim() !== before[field]),
    moved,
    busy,
    answer,
    whyOff,
    errors: Object.fromEntries(
      ((answer?.kind === "refused" ? answer.errors : undefined) ?? []).map(({ path, message }) => [path, message]),
    ),
    write,
    takeNewest() {
      write(draft);
      takeNewest();
    },
    send(reason) {
      const overrides = overridesOf(draft);
      void send(`/api/v1/admin/policies/${view.operation}`, { overrides, expectedVersion: base, reason });
    },
  };
}
