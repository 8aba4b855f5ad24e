import Link from "next/link";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { DialogLink } from "@/components/ui/place-link";
import { Glyph } from "@/components/ui/values/glyph";
import { Id } from "@/components/ui/values/id";
import shared from "@/components/outbox/messages.module.css";
import { formatAge } from "@/presentation/format/display-time";
import type { GlyphText } from "@/presentation/views/common";
import styles from "./messages.module.css";

/** Longest error text in a row; the whole one is on the message's page. */
const ERROR_TEXT = 90;

/** Type and id of a message. */
export function MessageName({ type, id }: { readonly type: string; readonly id: string }) {
  return (
    <span className={styles["place"]}>
      {type}
      <small>
        <Id value={id} plain />
      </small>
    </span>
  );
}

/** Where a message waits, and what it waits in line with. */
export function Where({ name, note }: { readonly name: string; readonly note?: ReactNode }) {
  return (
    <span className={styles["place"]}>
      {name}
      {note !== undefined && <small>{note}</small>}
    </span>
  );
}

/** "now", "in 38 s". */
export function untilText(at: string | undefined, now: string): string {
  const ms = at === undefined ? 0 : Date.parse(at) - Date.parse(now);
  return ms > 0 ? `in ${formatAge(ms)}` : "now";
}

export interface LeaseFacts {
  readonly owner?: string | undefined;
  readonly lockedUntil?: string | undefined;
}

/** Whose lease it is under, while that holds. */
export function heldNow(
  { owner, lockedUntil }: LeaseFacts,
  now: string,
): { readonly who: string; readonly until: string } | undefined {
  if (lockedUntil === undefined || lockedUntil <= now) return undefined;
  return { who: owner ?? "somebody", until: lockedUntil };
}

/** When it is tried again, or who has it now and until when. */
export function NextTry({
  row,
  now,
  children,
}: {
  readonly row: LeaseFacts;
  readonly now: string;
  readonly children: ReactNode;
}) {
  const held = heldNow(row, now);
  if (held === undefined) return <>{children}</>;
  return (
    <span className={styles["next"]} title={`lease until ${held.until}`}>
      {held.who}
      <small>until {held.until.slice(11, 19)}</small>
    </span>
  );
}

export interface SafeProps {
  readonly said: GlyphText;
  /** The error that led here. */
  readonly code?: string | undefined;
  readonly error?: string | undefined;
  /** Instead of them: any small line. */
  readonly note?: string | undefined;
}

/** The verdict on acting, and what led here. */
export function Safe({ said, code, error, note }: SafeProps) {
  const text = error === undefined || error.length <= ERROR_TEXT ? error : `${error.slice(0, ERROR_TEXT)}…`;
  const small = note ?? (text === undefined || text === "" || code === undefined ? code : `${code}: ${text}`);
  return (
    <span className={shared["safe"]} data-quiet={said.tone === "quiet" || undefined}>
      <Glyph name={said.glyph} tone={said.tone} />
      <span>
        {said.text}
        {small !== undefined && <small title={error}>{small}</small>}
      </span>
    </span>
  );
}

/** The operation that a message is about. */
export function OperationLink({ id }: { readonly id: string | undefined }) {
  if (id === undefined) return <span className="quiet">none</span>;
  return (
    <Link href={`/operations/${id}`} prefetch={false}>
      <Id value={id} plain />
    </Link>
  );
}

export interface RequeueButtonProps {
  /** Value of `?dialog=` that opens it. */
  readonly name: string;
  readonly whyNot?: string | undefined;
  readonly primary?: boolean | undefined;
}

/** Opens the dialog of one dead message; visible and off, with its reason, where it is not allowed. */
export function RequeueButton({ name, whyNot, primary }: RequeueButtonProps) {
  if (whyNot !== undefined) {
    return (
      <Button small={primary !== true} notOffered={whyNot}>
        Requeue
      </Button>
    );
  }
  return (
    <DialogLink small={primary !== true} primary={primary} dialog={name}>
      Requeue
    </DialogLink>
  );
}
