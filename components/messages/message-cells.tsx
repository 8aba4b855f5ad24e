import { Link } from "@/components/ui/link";
import type { ReactNode } from "react";
import { Offer } from "@/components/ui/offer";
import { Glyph } from "@/components/ui/values/glyph";
import { Id } from "@/components/ui/values/id";
import { AttemptMeter } from "@/components/outbox/attempt-meter";
import { Time } from "@/components/ui/values/time";
import { StateTag } from "@/components/ui/values/state-tag";
import type { MessageSide } from "@/domain/messages/side";
import type { PageAddress } from "@/presentation/list/page-address";
import type { JudgedInboxRow } from "@/presentation/views/inbox";
import type { JudgedOutboxRow } from "@/presentation/views/outbox";
import shared from "@/components/outbox/messages.module.css";
import { heldNow, type LeaseFacts } from "@/presentation/message/message-verdict";
import { saidBefore } from "@/presentation/list/said-before";
import { fitLabel } from "@/presentation/format/cut-middle";
import { formatAge } from "@/presentation/format/display-time";
import type { GlyphText } from "@/presentation/views/common";
import styles from "./messages.module.css";

/** Longest error text in a row; the whole one is on the message's page. */
const ERROR_TEXT = 90;
/** Characters of a name in a row that stay on one line. */
const NAME = 34;

export interface MessageNameProps {
  readonly type: string;
  readonly id: string;
  readonly note?: string | undefined;
}

export function MessageName({ type, id, note }: MessageNameProps) {
  return (
    <span className={styles["place"]}>
      {type}
      <small>
        <Id value={id} plain /> {note}
      </small>
    </span>
  );
}

/** Where a message waits, and what it waits in line with. */
export function Where({ name, note }: { readonly name: string; readonly note?: ReactNode }) {
  return (
    <span className={styles["place"]} title={name.length > NAME ? name : undefined}>
      {fitLabel(name, NAME)}
      {note !== undefined && <small>{note}</small>}
    </span>
  );
}

/** "now", "in 38 s". */
export function untilText(at: string | undefined, now: string): string {
  const ms = at === undefined ? 0 : Date.parse(at) - Date.parse(now);
  return ms > 0 ? `in ${formatAge(ms)}` : "now";
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
    <span className={styles["next"]}>
      {held.who}
      <small>
        until <Time at={held.until} now={now} form="clock" />
      </small>
    </span>
  );
}

/** No other try is planned. On the phone its column has no head, and "none" alone says nothing. */
export function NoNext() {
  return <span className="quiet off-phone">none</span>;
}

export interface SafeProps {
  readonly said: GlyphText;
  /** Of a dead message: would it get through? */
  readonly outlook?: GlyphText | undefined;
  /** The sentences are said once above the row: a word or two each. */
  readonly brief?: boolean | undefined;
  readonly code?: string | undefined;
  readonly error?: string | undefined;
  /** Instead of them: any small line. */
  readonly note?: string | undefined;
}

/** Both judgements of a message: may it go again, and would it get through. */
export function Safe({ said, outlook, brief = false, code, error, note }: SafeProps) {
  const text = error === undefined || error.length <= ERROR_TEXT ? error : `${error.slice(0, ERROR_TEXT)}…`;
  const small = note ?? (text === undefined || text === "" || code === undefined ? code : `${code}: ${text}`);
  return (
    <span className={shared["judged"]} data-brief={brief || undefined}>
      <Judgement said={said} brief={brief} />
      {outlook !== undefined && <Judgement said={outlook} brief={brief} />}
      {small !== undefined && <small title={error}>{small}</small>}
    </span>
  );
}

function Judgement({ said, brief }: { readonly said: GlyphText; readonly brief: boolean }) {
  return (
    <span className={shared["safe"]} data-quiet={said.tone === "quiet" || undefined}>
      <Glyph name={said.glyph} tone={said.tone} />
      <span title={brief ? said.text : undefined}>{brief ? (said.brief ?? said.text) : said.text}</span>
    </span>
  );
}

export function OperationLink({ id }: { readonly id: string | undefined }) {
  if (id === undefined) return <span className="quiet">none</span>;
  return (
    <Link href={`/operations/${id}`}>
      <Id value={id} plain />
    </Link>
  );
}

export interface MessageListProps<Row> {
  readonly rows: readonly Row[];
  readonly now: string;
  readonly address: PageAddress;
  /** Why this person may not requeue; undefined: may. */
  readonly whyNot?: string | undefined;
  /** A part of a page that shows no newer ones. */
  readonly still?: boolean | undefined;
  /** Rows open beside the list. Without it they lead to their page. */
  readonly beside?: boolean | undefined;
}

type ListedMessage = JudgedOutboxRow | JudgedInboxRow;

export interface CellContext extends Pick<MessageListProps<never>, "now" | "whyNot"> {
  /** Rows whose sentences an earlier row of the page says. */
  readonly again: ReadonlySet<ListedMessage>;
}

/** @returns rows that say what an earlier row of the page says: both judgements and the error behind them */
export function sayAgain(rows: readonly ListedMessage[]): ReadonlySet<ListedMessage> {
  return saidBefore(rows, ({ safe, outlook, error }) => [safe.text, outlook?.text, error].join("\n"));
}

export const MESSAGE_CELLS = {
  state: (row: ListedMessage) => <StateTag name={row.state} />,
  attempts: (row: ListedMessage) => (
    <AttemptMeter attempts={row.attempts} max={row.maxAttempts} dead={row.state === "dead"} />
  ),
  operation: (row: ListedMessage) => <OperationLink id={row.operationId} />,
  act: (row: ListedMessage, { whyNot }: CellContext) =>
    row.state === "dead" && <RequeueButton name={`requeue:${row.id}`} whyNot={whyNot ?? row.requeueNot} />,
};

export function messageLinks(side: MessageSide, id: string, beside: boolean | undefined) {
  const page = `/${side}/${id}`;
  return { id, copy: id, href: page, ...(beside === true && { place: { open: id }, page }) };
}

export interface RequeueButtonProps {
  /** Value of `?dialog=` that opens it. */
  readonly name: string;
  readonly whyNot?: string | undefined;
  readonly primary?: boolean | undefined;
}

/** Opens the dialog of one dead message; visible and off, with its reason, where it is not allowed. */
export function RequeueButton({ name, whyNot, primary = false }: RequeueButtonProps) {
  return (
    <Offer small={!primary} primary={primary && whyNot === undefined} dialog={name} notOffered={whyNot}>
      Requeue
    </Offer>
  );
}
