import { Link } from "@/components/ui/link";
import type { ReactNode } from "react";
import { Amount } from "@/components/operations/operations-table";
import { drawnCells, columnsOf, type Cells, type TableRow } from "@/components/table/columns";
import { DataTable } from "@/components/table/data-table";
import { ButtonLink } from "@/components/ui/button";
import { Glyph } from "@/components/ui/values/glyph";
import { Id } from "@/components/ui/values/id";
import { MiniChain } from "@/components/ui/values/mini-chain";
import { Section } from "@/components/ui/section";
import { Time } from "@/components/ui/values/time";
import { tableColumns } from "@/presentation/list/columns";
import { formatCount } from "@/presentation/format/display-time";
import type { OverviewView } from "@/presentation/views/overview";
import type { AttentionRow } from "@/presentation/views/operations";
import styles from "./overview.module.css";

const IN_DOUBT = tableColumns({
  what: { label: "Operation", phone: "left" },
  amount: { label: "Amount", align: "right", phone: "right" },
  for: { label: "In doubt for", align: "right", phone: "right" },
  chain: { label: "Key to ledger" },
  known: { label: "What is known", phone: "left", grow: true, wrap: true },
  decide: { label: "Decide", spoken: true, align: "right" },
});
const COLUMNS = columnsOf(IN_DOUBT);

export function InDoubt({ doubt, at }: { readonly doubt: OverviewView["doubt"]; readonly at: string }) {
  const asked = doubt.rows.filter((row) => row.beingAsked).length;
  const order = asked === 0 ? "by age × amount" : `by age × amount, ${formatCount(asked)} being asked now`;
  const note =
    doubt.began === undefined
      ? order
      : `${formatCount(doubt.began)} of ${formatCount(doubt.count)} began in the window, ${order}`;
  return (
    <Section
      title="In doubt"
      note={doubt.count === 0 ? undefined : note}
      right={
        <>
          as of <Time at={at} now={at} form="clock" />
        </>
      }
      space="small"
    >
      {doubt.rows.length === 0 ? (
        <p className={styles["quiet"]}>
          {doubt.count === 0
            ? "Nothing is unknown. What is still in progress is not counted here."
            : "None of what is in doubt now began in this window."}
        </p>
      ) : (
        <DataTable label="Operations in doubt" columns={COLUMNS} rows={lines(doubt, at)} sum={sumOf(doubt)} />
      )}
    </Section>
  );
}

function lines(doubt: OverviewView["doubt"], at: string): readonly TableRow[] {
  const cells = drawnCells(IN_DOUBT, COLUMNS, CELLS);
  const rows = doubt.rows.map((row) => ({
    id: row.operationId,
    label: `${row.kind} ${row.money?.display ?? ""}, ${row.beingAsked ? "being asked now" : "in doubt"}`,
    href: `/operations/${row.operationId}`,
    copy: row.operationId,
    cells: cells(row, at),
  }));
  const rest = shownOf(doubt) - doubt.rows.length;
  if (rest <= 0) return rows;
  return [
    ...rows,
    {
      id: "rest",
      label: `${formatCount(rest)} more in doubt`,
      href: "/attention",
      cells: {
        what: (
          <span className={styles["rest"]}>
            <b>{formatCount(rest)}</b> more
          </span>
        ),
        decide: <Link href="/attention">Review</Link>,
      },
    },
  ];
}

const CELLS: Cells<typeof IN_DOUBT, AttentionRow, string> = {
  what: (row) => (
    <span className="inline">
      <Glyph name={row.beingAsked ? "in_progress" : "unknown"} />
      <span className={styles["kind"]}>{row.kind}</span>
      <span className="off-phone">
        <Id value={row.operationId} plain />
      </span>
    </span>
  ),
  amount: (row) => <Amount money={row.money} />,
  for: (row, at) => <Time at={row.since} now={at} />,
  chain: (row) => <MiniChain stations={row.chain} width={110} />,
  known: (row) => row.known,
  decide: (row) => (
    <ButtonLink small href={`/operations/${row.operationId}#settle`} label={`Decide on ${row.kind} ${row.operationId}`}>
      Decide
    </ButtonLink>
  ),
};

/** All that the table stands for: what began in the window, where one is brushed. */
function shownOf({ began, count }: OverviewView["doubt"]): number {
  return began ?? count;
}

function sumOf(doubt: OverviewView["doubt"]): Readonly<Record<string, ReactNode>> {
  return {
    what: shownOf(doubt) === 1 ? "1 operation" : `${formatCount(shownOf(doubt))} operations`,
    amount: doubt.totals.map((total) => (
      <span key={total.money.currency} className={styles["sumLine"]}>
        {total.money.display}
      </span>
    )),
  };
}
