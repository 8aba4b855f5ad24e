"use client";

import { useEffect, useState } from "react";
import { useDoneLine } from "@/components/feedback/done-line";
import { useAdminAction } from "@/components/feedback/use-admin-action";
import type { OperationPolicy } from "@/domain/idempotency/policy";
import { POLICY_FIELDS, type PolicyField, type PolicyOverrides } from "@/domain/idempotency/policy";
import type { OperationPolicyView } from "@/presentation/views/policies";
import { SETTINGS } from "@/presentation/policy/policy-words";

export type PolicyFormState = ReturnType<typeof usePolicyForm>;

export function usePolicyForm(view: OperationPolicyView) {
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
  const refused = answer?.kind === "refused" ? answer.errors : undefined;
  const errors: Readonly<Partial<Record<string, string>>> = Object.fromEntries(
    (refused ?? []).map(({ path, message }) => [path, message]),
  );
  return {
    draft,
    /** What the draft comes to. */
    policy: policyOf(draft, view.inherited),
    changed: POLICY_FIELDS.filter((field) => draft[field].trim() !== before[field]),
    /** The version that the draft stands on is not the newest any more. */
    moved,
    busy,
    answer,
    /** Why nothing can be sent now. */
    whyOff,
    /** What the server said about a field. */
    errors,
    write,
    /** Takes the newest version's decisions into the fields. */
    takeNewest: (): void => {
      write(draft);
      takeNewest();
    },
    send: (reason: string): void => {
      const overrides = overridesOf(draft);
      void send(`/api/v1/admin/policies/${view.operation}`, { overrides, expectedVersion: base, reason });
    },
  };
}

/** What stands in the fields: a text each, empty where the deployment decides. */
export type Draft = Readonly<Record<PolicyField, string>>;

export function draftOf(overrides: PolicyOverrides): Draft {
  return Object.fromEntries(POLICY_FIELDS.map((field) => [field, String(overrides[field] ?? "")])) as Draft;
}

/** @returns what is sent: numbers where a text is one, else the text itself, which the server refuses by its name. */
export function overridesOf(draft: Draft): Readonly<Record<string, string | number>> {
  return Object.fromEntries(
    POLICY_FIELDS.filter((field) => draft[field].trim() !== "").map((field) => [field, valueOf(field, draft[field])]),
  );
}

/** @returns the policy that would hold; a text that is no number yet counts as not decided. */
export function policyOf(draft: Draft, inherited: OperationPolicy): OperationPolicy {
  const decided = Object.entries(overridesOf(draft)).filter(
    ([field, value]) => typeof value === typeof inherited[field as PolicyField],
  );
  return { ...inherited, ...(Object.fromEntries(decided) as Partial<OperationPolicy>) };
}

function valueOf(field: PolicyField, text: string): string | number {
  const written = text.trim();
  const numeric = SETTINGS[field].unit !== undefined || field === "mismatchStatus";
  return numeric && /^\d{1,9}$/.test(written) ? Number(written) : written;
}
