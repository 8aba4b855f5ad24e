import { Section } from "@/components/ui/section";
import { Link } from "@/components/ui/link";
import { RowsTable } from "@/components/table/rows-table";
import { Glyph } from "@/components/ui/values/glyph";
import { Id } from "@/components/ui/values/id";
import { Money } from "@/components/ui/values/money";
import { Time } from "@/components/ui/values/time";
import { cellWords } from "@/presentation/metrics/cell-claims";
import { formatCount } from "@/presentation/format/display-time";
import { plural } from "@/presentation/format/words";
import { hrefWith, type PageAddress } from "@/presentation/list/page-address";
import { HEAT_WORDS, selectionWords } from "@/presentation/metrics/heatmap-verdict";
import { NO_CLIENT } from "@/presentation/metrics/measure-links";
import type { HeatmapView, HeatSelection } from "@/presentation/views/heatmap";
import styles from "./heatmap.module.css";

export interface CellSideProps {
  readonly view: Pick<HeatmapView, "at" | "measure" | "compare">;
  readonly selected: HeatSelection | undefined;
  readonly address: PageAddress;
}

/** The open cell: how many, of which operations, and the way to all of them. */
export function CellSide({ view, selected, address }: CellSideProps) {
  if (selected === undefined)
    return (
      <Section title="Selected cell" space="none" quiet>
        <p className="soft">Choose a cell to see its operations.</p>
      </Section>
    );
  const { client, from, to } = selected;
  return (
    <>
      <Section
        title={
          <span className={styles["sideTitle"]} title={client}>
            {client === "" ? NO_CLIENT : client}
          </span>
        }
        space="none"
        right={
          <Link href={hrefWith(address, { client: undefined, cell: undefined })} scroll={false}>
            Clear
          </Link>
        }
      >
        <p className="small quiet">
          <Time at={from} now={view.at} form="day" /> to <Time at={to} now={view.at} form="day" />
        </p>
        <Counts view={view} selected={selected} />
        <Operations view={view} selected={selected} />
      </Section>
      <RetryWords selected={selected} />
    </>
  );
}

type Part = Pick<CellSideProps, "view"> & { readonly selected: HeatSelection };

function Counts({ view: { measure, compare }, selected: { counted, compared, found } }: Part) {
  const { one, many } = HEAT_WORDS[measure];
  const count = found?.answers ?? counted ?? undefined;
  const rest = cellWords({ measure, compare, counted, compared, found });
  return (
    <>
      <p className={styles["big"]}>{count === undefined ? "Not counted" : plural(count, one, many)}</p>
      {rest !== "" && <p className={styles["rest"]}>{rest}</p>}
    </>
  );
}

function Operations({ view: { measure }, selected: { found, href } }: Part) {
  if (found === undefined)
    return (
      <p className="soft">
        They were not read in time. <Link href={href}>Open the list</Link>
      </p>
    );
  if (found.top.length === 0) return null;
  return (
    <>
      <RowsTable
        label="Operations of the cell"
        rows={found.top}
        rowId={({ operationId }) => operationId}
        columns={{
          Operation: {
            cell: ({ operationId, key, kind, state }) => (
              <span className={styles["operation"]}>
                <Glyph name={state} />
                <Link href={`/operations/${operationId}`} title={`${kind}, ${key}`}>
                  <Id value={key} plain />
                </Link>
              </span>
            ),
          },
          Amount: { align: "right", cell: ({ money }) => money && <Money {...money} /> },
          [HEAT_WORDS[measure].label]: {
            align: "right",
            cell: ({ count }) => (
              <>
                {formatCount(count)}
                <span className="phone-only quiet">
                  {" "}
                  {count === 1 ? HEAT_WORDS[measure].one : HEAT_WORDS[measure].many}
                </span>
              </>
            ),
          },
        }}
      />
      <p className={styles["tableFoot"]}>
        <span>
          {formatCount(found.top.length)} of {formatCount(found.operations)}
        </span>
        <Link href={href}>
          {found.operations === 1 ? "Open it in the list" : `Open all ${formatCount(found.operations)}`}
        </Link>
      </p>
    </>
  );
}

function RetryWords({ selected }: { readonly selected: HeatSelection }) {
  const words = selectionWords(selected);
  if (words.length === 0) return null;
  return (
    <Section title="How soon they came" quiet space="small">
      <p className="soft">{words.join(" ")}</p>
    </Section>
  );
}
