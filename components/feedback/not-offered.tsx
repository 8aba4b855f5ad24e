import { Note } from "@/components/ui/row";
import type { ActionView } from "@/presentation/views/common";

const NO_REASON = "Not offered now.";

/** @returns why an action is off, to be shown beside its control; undefined: it is allowed */
export function whyNotOffered(action: Pick<ActionView, "allowed" | "whyNot">): string | undefined {
  return action.allowed ? undefined : (action.whyNot ?? NO_REASON);
}

/** The line below a control that is off; nothing while it is on. */
export function NotOffered({ why }: { readonly why: string | undefined }) {
  if (why === undefined) return null;
  return <Note>{why === NO_REASON ? why : `Not offered: ${why}`}</Note>;
}
