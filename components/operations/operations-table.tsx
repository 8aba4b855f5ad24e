import { drawnCells, columnsOf, None, type Cells, type TableColumn } from "@/components/table/columns";
import { DataTable } from "@/components/table/data-table";
import { wholeSum } from "@/components/table/money-sum";
import { AnswersSparkline } from "@/components/ui/values/answers-sparkline";
import { Id } from "@/components/ui/values/id";
import { MiniChain } from "@/components/ui/values/mini-chain";
import { Money } from "@/components/ui/values/money";
import { StateTag } from "@/components/ui/values/state-tag";
import { Time } from "@/components/ui/values/time";
import { PlanSelection, type PlanSelectionProps } from "@/components/plans/plan-selection";
import { operationSearch } from "@/presentation/filters/parsers";
import { glyphWord } from "@/presentation/format/glyph";
import { OPERATIONS } from "@/presentation/list/operation-lists";
import { filterHref, type PageAddress } from "@/presentation/list/page-address";
import { shownAnswer } from "@/presentation/operation/shown-answer";
import type { OperationRow } from "@/presentation/views/operations";
import styles from "./operations.module.css";
import type { OperationFilters } from "@/domain/lists/filters";

export interface OperationsTableProps {
  readonly rows: readonly OperationRow[];
  readonly at: string;
  readonly filters: OperationFilters;
  readonly address: PageAddress;
  readonly kinds: PlanSelectionProps["kinds"];
  /** How many match, where there are more than this page. */
  readonly matching?: string | undefined;
  /** All that match are on this page: the list ends in their sum. */
  readonly whole?: boolean | undefined;
}

/** One line per operation; its glyphs say what happened and to whom, its chain how far it came. */
export function OperationsTable({ rows, at, filters, address, kinds, matching, whole }: OperationsTableProps) {
  const newest = filters.sort === "created" && filters.direction === "desc" && address.search["cursor"] === undefined;
  const columns = operationColumns(filters, address);
  const cells = drawnCells(OPERATIONS, columns, CELLS);
  return (
    <DataTable
      label="Operations"
      columns={columns}
      sum={whole ? wholeSum(rows, columns, { count: "what", amount: "amount" }) : undefined}
      rows={rows.map((row) => ({
        money: row.money,
        id: row.operationId,
        label: `${row.kind} ${row.money?.display ?? row.key}, ${glyphWord(row.state).toLowerCase()}`,
        place: { open: row.operationId },
        page: `/operations/${row.operationId}`,
        copy: row.operationId,
        cells: cells(row, at),
      }))}
      newer={newest ? "operations" : undefined}
      selectable
      matching={matching}
      selectionActions={<PlanSelection kinds={kinds} search={operationSearch(filters)} />}
    />
  );
}

export function operationColumns({ sort, direction }: OperationFilters, address: PageAddress): readonly TableColumn[] {
  const hrefOf = (changes: Parameters<typeof filterHref>[1]): string => filterHref(address, changes);
  return columnsOf(OPERATIONS, { address, sorting: { sort, direction, hrefOf } });
}

const CELLS: Cells<typeof OPERATIONS, OperationRow, string> = {
  state: (row) => <StateTag name={row.state} />,
  what: (row) => (
    <span className={styles["what"]}>
      {row.kind}{" "}
      <span className={styles["key"]}>
        <Id value={row.key} plain />
      </span>
    </span>
  ),
  amount: (row) => <Amount money={row.money} />,
  account: (row) => <Known value={row.account} />,
  reference: (row) => <Known value={row.reference} />,
  error: (row) => <Known value={row.errorCode} />,
  chain: (row) => <MiniChain stations={row.chain} />,
  // A refusal for good is the only first answer of an operation in this state.
  answers: ({ answers: { answers, total }, state }) => {
    const status = state === "FAILED_REPLAYABLE" ? 400 : undefined;
    return <AnswersSparkline answers={answers.map((outcome) => shownAnswer({ outcome, status }))} total={total} />;
  },
  age: (row, at) => <Time at={row.createdAt} now={at} />,
};

function Known({ value }: { readonly value: string | undefined }) {
  return value === undefined ? <None /> : <Id value={value} plain />;
}

export function Amount({ money }: Pick<OperationRow, "money">) {
  return money === undefined ? <None /> : <Money minor={money.minor} currency={money.currency} />;
}
