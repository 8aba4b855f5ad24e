import { DataTable } from "@/components/table/data-table";
import type { TableColumn, TableRow } from "@/components/table/types";
import { AnswersSparkline } from "@/components/ui/values/answers-sparkline";
import { Id } from "@/components/ui/values/id";
import { MiniChain } from "@/components/ui/values/mini-chain";
import { Money } from "@/components/ui/values/money";
import { StateTag } from "@/components/ui/values/state-tag";
import { Time } from "@/components/ui/values/time";
import { PlanSelection, type PlanSelectionProps } from "@/components/plans/plan-selection";
import { operationSearch } from "@/presentation/filters/operations";
import { glyphWord } from "@/presentation/format/glyph";
import { filterHref, type PageAddress } from "@/presentation/list/page-address";
import { listColumns } from "@/components/views/list-columns";
import { shownColumns } from "@/components/views/list-tools";
import type { OperationRow } from "@/presentation/views/operations";
import styles from "./operations.module.css";
import type { OperationFilters, OperationSort } from "@/domain/lists/filters";

export interface OperationsTableProps {
  readonly rows: readonly OperationRow[];
  readonly at: string;
  readonly filters: OperationFilters;
  readonly address: PageAddress;
  /** Plans that may be made of the selected rows. */
  readonly kinds: PlanSelectionProps["kinds"];
  /** How many match, where there are more than this page. */
  readonly matching?: string | undefined;
}

/** One line per operation; its glyphs say what happened and to whom, its chain how far it came. */
export function OperationsTable({ rows, at, filters, address, kinds, matching }: OperationsTableProps) {
  const newest = filters.sort === "created" && filters.direction === "desc" && address.search["cursor"] === undefined;
  return (
    <DataTable
      label="Operations"
      columns={shownColumns(operationColumns(filters, address), address)}
      rows={rows.map((row) => line(row, at))}
      newer={newest ? "operations" : undefined}
      selectable
      matching={matching}
      selectionActions={<PlanSelection kinds={kinds} search={operationSearch(filters)} />}
    />
  );
}

/** All columns of the list; those with a choice may be hidden. */
export function operationColumns(filters: OperationFilters, address: PageAddress): readonly TableColumn[] {
  const sort = (by: OperationSort): NonNullable<TableColumn["sort"]> => {
    const on = filters.sort === by;
    const next = on && filters.direction === "desc" ? "asc" : undefined;
    return {
      href: filterHref(address, { sort: by === "created" ? undefined : by, direction: next }),
      direction: on ? shown(filters) : undefined,
    };
  };
  return listColumns("operations", [
    { id: "state", header: "State", phone: "left", width: 140 },
    { id: "what", header: "Operation and key", phone: "left", grow: true },
    { id: "client", header: "Client", phone: "hidden" },
    { id: "account", header: "Account", phone: "hidden" },
    { id: "reference", header: "Reference", phone: "hidden" },
    { id: "error", header: "Error code", phone: "hidden" },
    { id: "amount", header: "Amount", align: "right", phone: "right", sort: sort("amount") },
    { id: "chain", header: "Key to ledger", phone: "hidden", wide: true },
    { id: "answers", header: "Answers", phone: "hidden", width: 116 },
    { id: "age", header: "Age", align: "right", phone: "right", width: 64, sort: sort("created") },
  ]);
}

/** Newest first is the smallest age first. */
function shown({ sort, direction }: OperationFilters): "asc" | "desc" {
  if (sort !== "created") return direction;
  return direction === "desc" ? "asc" : "desc";
}

function line(row: OperationRow, at: string): TableRow {
  return {
    id: row.operationId,
    label: `${row.kind} ${row.money?.display ?? row.key}, ${glyphWord(row.state).toLowerCase()}`,
    place: { open: row.operationId },
    page: `/operations/${row.operationId}`,
    copy: row.operationId,
    cells: {
      state: <StateTag name={row.state} />,
      what: (
        <span className={styles["what"]}>
          {row.kind}{" "}
          <span className={styles["key"]}>
            <Id value={row.key} plain />
          </span>
        </span>
      ),
      amount:
        row.money === undefined ? (
          <span className={styles["none"]}>none</span>
        ) : (
          <Money minor={row.money.minor} currency={row.money.currency} />
        ),
      client: row.client,
      account: known(row.account),
      reference: known(row.reference),
      error: known(row.errorCode),
      chain: <MiniChain stations={row.chain} />,
      answers: <AnswersSparkline {...row.answers} />,
      age: <Time at={row.createdAt} now={at} />,
    },
  };
}

function known(value: string | undefined) {
  return value === undefined ? <span className={styles["none"]}>none</span> : <Id value={value} plain />;
}
