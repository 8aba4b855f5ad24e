import { ActionDialog } from "@/components/feedback/action-dialog";
import { DataTable } from "@/components/table/data-table";
import type { TableColumn, TableRow } from "@/components/table/types";
import { Button, ButtonLink } from "@/components/ui/button";
import { Glyph } from "@/components/ui/glyph";
import { Id } from "@/components/ui/id";
import { StateTag } from "@/components/ui/state-tag";
import { Time } from "@/components/ui/time";
import { cutMiddle } from "@/domain/cut-middle";
import { formatAge } from "@/domain/display-time";
import { hrefWith, type PageAddress } from "@/domain/page-address";
import type { Said } from "@/domain/views/common";
import type { OutboxRow } from "@/domain/views/outbox";
import { AttemptMeter } from "./attempt-meter";
import { groupStalled } from "./group-stalled";
import styles from "./messages.module.css";

export interface OutboxListProps {
  readonly rows: readonly OutboxRow[];
  readonly now: string;
  readonly published: boolean;
  readonly address: PageAddress;
  /** Why this person may not requeue; undefined: may. */
  readonly whyNot?: string | undefined;
}

function columns(published: boolean, max: number): readonly TableColumn[] {
  return [
    { id: "state", header: "State", phone: "left" },
    { id: "message", header: "Message", phone: "left", link: true },
    { id: "order", header: "In order of", phone: "hidden", wide: true },
    { id: "attempts", header: `Attempts of ${String(max)}`, phone: "hidden" },
    published
      ? { id: "next", header: "Published", align: "right", phone: "right" }
      : { id: "next", header: "Next try", align: "right", phone: "right" },
    { id: "age", header: "Age", align: "right", phone: "right" },
    { id: "safe", header: "Safe to act?", wrap: true, grow: true, phone: "full" },
    { id: "act", header: "Action", hiddenHeader: true, align: "right", phone: "full" },
  ];
}

/** Messages on their way out; one account whose oldest message is dead stands together with what waits behind it. */
export function OutboxList({ rows, now, published, address, whyNot }: OutboxListProps) {
  const max = rows[0]?.maxAttempts ?? 0;
  return (
    <DataTable
      label={published ? "Published messages" : "Open messages"}
      columns={columns(published, max)}
      rows={groupStalled(rows).map(({ row, heading }) => ({
        ...tableRow(row, now, address, whyNot),
        ...(heading === undefined ? {} : { group: <Heading {...heading} /> }),
      }))}
      newer="messages"
    />
  );
}

function Heading({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <>
      <b>{name}</b> {text}
    </>
  );
}

function tableRow(row: OutboxRow, now: string, address: PageAddress, whyNot: string | undefined): TableRow {
  return {
    id: row.id,
    label: `${row.type} of ${row.aggregateId}, ${row.state}`,
    href: `/outbox/${row.id}`,
    copy: row.id,
    cells: {
      state: <StateTag name={row.state} />,
      message: (
        <span className={styles["message"]}>
          {row.type} <Id value={row.id} plain />
        </span>
      ),
      order: (
        <>
          <Id value={row.aggregateId} /> <span className={styles["order"]}>#{row.position}</span>
        </>
      ),
      attempts: <AttemptMeter attempts={row.attempts} max={row.maxAttempts} dead={row.state === "dead"} />,
      next: <NextTry row={row} now={now} />,
      age: <Time at={row.createdAt} now={now} />,
      safe: (
        <Safe
          said={row.safe}
          note={
            row.state === "published" || (row.errorCode !== undefined && row.safe.text.includes(row.errorCode))
              ? undefined
              : row.errorCode
          }
        />
      ),
      act: row.state === "dead" ? <RequeueButton name={`requeue:${row.id}`} address={address} whyNot={whyNot} /> : null,
    },
  };
}

export interface RequeueButtonProps {
  /** Value of `?dialog=` that opens it. */
  readonly name: string;
  readonly address: PageAddress;
  readonly whyNot?: string | undefined;
  readonly primary?: boolean | undefined;
}

/** Opens the dialog of one dead message; visible and off, with its reason, where it is not allowed. */
export function RequeueButton({ name, address, whyNot, primary }: RequeueButtonProps) {
  if (whyNot !== undefined) {
    return (
      <Button small={primary !== true} notOffered={whyNot}>
        Requeue
      </Button>
    );
  }
  return (
    <ButtonLink small={primary !== true} primary={primary} stay href={hrefWith(address, { dialog: name })}>
      Requeue
    </ButtonLink>
  );
}

function NextTry({ row, now }: { readonly row: OutboxRow; readonly now: string }) {
  if (row.publishedAt !== undefined) return <Time at={row.publishedAt} now={now} form="clock" />;
  if (row.state === "dead") return <span className={styles["soft"]}>none</span>;
  if (row.behind !== undefined)
    return <span title={`after ${row.behind}`}>after {cutMiddle(row.behind).slice(-8)}</span>;
  return <>{untilText(row.nextAttemptAt, now)}</>;
}

/** "now", "in 38 s". */
export function untilText(at: string | undefined, now: string): string {
  const ms = at === undefined ? 0 : Date.parse(at) - Date.parse(now);
  return ms > 0 ? `in ${formatAge(ms)}` : "now";
}

/** The verdict on acting, and the error that led here. */
export function Safe({ said, note }: { readonly said: Said; readonly note?: string | undefined }) {
  return (
    <span className={styles["safe"]} data-quiet={said.tone === "quiet" || undefined}>
      <Glyph name={said.glyph} tone={said.tone} />
      <span>
        {said.text}
        {note !== undefined && <small>{note}</small>}
      </span>
    </span>
  );
}

export interface RequeueOutboxDialogProps {
  /** Value of `?dialog=`; default `requeue:<id>`. */
  readonly name?: string | undefined;
  readonly id: string;
  /** Missing: it left the list, maybe because of this very dialog; its answer is still shown. */
  readonly row: OutboxRow | undefined;
  readonly whyNot?: string | undefined;
}

/** Effect, evidence and what will not happen, before a message is sent again. */
export function RequeueOutboxDialog({ name, id, row, whyNot }: RequeueOutboxDialogProps) {
  const gone = row?.state === "dead" ? undefined : "It is not dead any more.";
  return (
    <ActionDialog
      key={id}
      name={name ?? `requeue:${id}`}
      title={
        row === undefined
          ? "Requeue 1 message?"
          : `Requeue 1 message, and let ${row.aggregateType} ${cutMiddle(row.aggregateId)} go on?`
      }
      effect={`The message becomes pending with all its attempts back. The relay sends it${row === undefined ? "" : ` to ${row.topic}`} again, then what waits behind it, in order.`}
      evidence={row?.safe.text}
      notDone="Its id and body stay the same, so a consumer that has it says duplicate. No payment is touched."
      verb="Requeue 1 message"
      path={`/api/v1/admin/outbox/${id}/requeue`}
      notOffered={whyNot ?? gone}
    />
  );
}
