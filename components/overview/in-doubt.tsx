import Link from "next/link";
import type { ReactNode } from "react";
import { DataTable } from "@/components/table/data-table";
import type { TableColumn, TableRow } from "@/components/table/types";
import { ButtonLink } from "@/components/ui/button";
import { Glyph } from "@/components/ui/values/glyph";
import { Id } from "@/components/ui/values/id";
import { MiniChain } from "@/components/ui/values/mini-chain";
import { Money } from "@/components/ui/values/money";
import { Section } from "@/components/ui/section";
import { Time } from "@/components/ui/values/time";
import { formatCount } from "@/presentation/format/display-time";
import type { OverviewView } from "@/presentation/views/overview";
import type { AttentionRow } from "@/presentation/views/operations";
import styles from "./overview.module.css";

const COLUMNS: readonly TableColumn[] = [
  { id: "what", header: "Operation", phone: "left" },
  { id: "amount", header: "Amount", align: "right", phone: "right" },
  { id: "for", header: "In doubt for", align: "right", phone: "right" },
  { id: "chain", header: "Key to ledger", phone: "hidden", wide: true },
  { id: "known", header: "What is known", phone: "left", grow: true, wrap: true },
  { id: "decide", header: "Decide", hiddenHeader: true, align: "right", phone: "hidden" },
];

export interface InDoubtProps {
  readonly doubt: OverviewView["doubt"];
  readonly at: string;
}

export function InDoubt({ doubt, at }: InDoubtProps) {
  const asked = doubt.rows.filter((row) => row.beingAsked).length;
  const note = asked === 0 ? "heaviest first" : `heaviest first, ${formatCount(asked)} being asked now`;
  return (
    <Section
      title="In doubt"
      note={doubt.count === 0 ? undefined : note}
      right={
        <>
          as of <Time at={at} now={at} form="clock" />
        </>
      }
      space="none"
    >
      {doubt.rows.length === 0 ? (
        <p className={styles["quiet"]}>Nothing is unknown. Every operation that reached the provider has an outcome.</p>
      ) : (
        <DataTable label="Operations in doubt" columns={COLUMNS} rows={lines(doubt, at)} sum={sumOf(doubt)} />
      )}
    </Section>
  );
}

function lines(doubt: OverviewView["doubt"], at: string): readonly TableRow[] {
  const rows = doubt.rows.map((row) => line(row, at));
  const rest = doubt.count - doubt.rows.length;
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
        known: "Of lighter weight, age by amount.",
        decide: <Link href="/attention">Review</Link>,
      },
    },
  ];
}

function line(row: AttentionRow, at: string): TableRow {
  const href = `/operations/${row.operationId}`;
  return {
    id: row.operationId,
    label: `${row.kind} ${row.money?.display ?? ""}, ${row.beingAsked ? "being asked now" : "in doubt"}`,
    href,
    copy: row.operationId,
    cells: {
      what: (
        <span className={styles["what"]}>
          <Glyph name={row.state === "STALE" ? "STALE" : row.beingAsked ? "in_progress" : "unknown"} />
          <span className={styles["kind"]}>{row.kind}</span>
          <span className={styles["id"]}>
            <Id value={row.operationId} plain />
          </span>
        </span>
      ),
      amount:
        row.money === undefined ? (
          <span className={styles["none"]}>none</span>
        ) : (
          <Money minor={row.money.minor} currency={row.money.currency} />
        ),
      for: <Time at={row.since} now={at} />,
      chain: <MiniChain stations={row.chain} width={110} />,
      known: row.known,
      decide: (
        <ButtonLink small href={`${href}#settle`}>
          Decide
        </ButtonLink>
      ),
    },
  };
}

function sumOf(doubt: OverviewView["doubt"]): Readonly<Record<string, ReactNode>> {
  return {
    what: doubt.count === 1 ? "1 operation" : `${formatCount(doubt.count)} operations`,
    amount: doubt.totals.map((total) => (
      <span key={total.money.currency} className={styles["sumLine"]}>
        {total.money.display}
      </span>
    )),
  };
}
