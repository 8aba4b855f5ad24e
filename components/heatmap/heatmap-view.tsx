import { ChartTable } from "@/components/charts/chart-table";
import { RangeLinks } from "@/components/charts/range-links";
import { RolledUp } from "@/components/clients/client-range";
import { EmptyState } from "@/components/feedback/notice";
import { Link } from "@/components/ui/link";
import { PageHead } from "@/components/ui/page-head";
import { Section, TwoColumns } from "@/components/ui/section";
import { HEAT_COMPARES, HEAT_MEASURES, HEAT_RANGES, HEAT_ROWS } from "@/domain/metrics/heatmap";
import type { FilterProblem } from "@/presentation/filters/search";
import { formatCount, formatDuration } from "@/presentation/format/display-time";
import { hrefWith, type PageAddress, pageParam } from "@/presentation/list/page-address";
import { HEAT_STEPS, isFarMore } from "@/presentation/metrics/heatmap";
import { cellFilters, cellListHref } from "@/presentation/metrics/heatmap-links";
import { HEAT_COMPARE_WORDS, HEAT_RANGE_WORDS, HEAT_WORDS, heatmapWords } from "@/presentation/metrics/heatmap-verdict";
import { NO_CLIENT } from "@/presentation/metrics/measure-links";
import type { HeatmapView as View } from "@/presentation/views/heatmap";
import { CellSide } from "./cell-side";
import { Distribution } from "./distribution";
import { HeatMap } from "./heat-map";
import styles from "./heatmap.module.css";

export interface HeatmapViewProps {
  readonly view: View;
  readonly problems: readonly FilterProblem[];
  readonly address: PageAddress;
}

const TABLE = "heatmap";

/** Clients by time, the operations of the open cell, and the times as distributions. */
export function HeatmapView({ view, problems, address }: HeatmapViewProps) {
  const { headline, lede } = heatmapWords(view.facts);
  return (
    <>
      <PageHead verdict={headline.map((text) => ({ text }))} lede={lede} />
      <HeatTools view={view} address={address} />
      {problems.map((problem) => (
        <p key={problem.name} className={styles["problem"]} role="status">
          Left out: {problem.name}, {problem.detail}.
        </p>
      ))}
      <TwoColumns side={<CellSide view={view} selected={view.selected} address={address} />}>
        <ClientSection view={view} address={address} />
      </TwoColumns>
      {view.distributions.map((each) => (
        <Distribution key={each.measure} view={each} address={address} />
      ))}
    </>
  );
}

type Part = Pick<HeatmapViewProps, "view" | "address">;

function ClientSection({ view, address }: Part) {
  const { measure, range, at, rolledUpMs, window, columns, rows, all } = view;
  const asTable = pageParam(address, "table") === TABLE;
  const href = hrefWith(address, { table: asTable ? undefined : TABLE });
  const times = columns.map(({ from }) => from);
  return (
    <Section
      title={`${HEAT_WORDS[measure].label} by client`}
      note={
        <>
          {formatDuration(window.bucketSeconds * 1_000)} a cell
          <span className="phone-only">, last 12 of {String(columns.length)}</span>
        </>
      }
      right={<RolledUp at={at} ageMs={rolledUpMs} table={{ on: asTable, href }} />}
      space="none"
    >
      {rows.length === 0 ? (
        <EmptyState
          title={heatmapWords(view.facts).headline[0] ?? ""}
          text={
            rolledUpMs === undefined
              ? "No minute has been rolled up. The worker does that once a minute."
              : `Other times or counts may have some: choose above. This shows ${HEAT_RANGE_WORDS[range]}.`
          }
        />
      ) : asTable ? (
        <ChartTable
          label={`${HEAT_WORDS[measure].label} by client as a table`}
          times={times}
          series={[...rows, all].map((row) => ({
            id: row === all ? "all clients" : `client ${row.client}`,
            label: row === all ? "all clients" : row.client === "" ? NO_CLIENT : row.client,
            values: row.cells.map(({ count }) => count),
            words: row.cells.map((cell) => tableWords(view, cell)),
            href:
              row === all || row.client === ""
                ? undefined
                : (index) => cellListHref(cellFilters(measure, row.client, columns[index] ?? { from: "", to: "" })),
          }))}
        />
      ) : (
        <>
          <HeatMap map={only(view)} open={view.selected} address={address} />
          <Legend view={view} />
        </>
      )}
      <Pages view={view} address={address} />
    </Section>
  );
}

/** What the map needs, and no more: it goes to the browser. */
function only({ measure, compare, columns, rows, all, page }: View) {
  return { measure, compare, columns, rows, all: { ...all, cells: [] }, page };
}

function tableWords({ compare }: View, cell: View["all"]["cells"][number]): string {
  if (cell.count === null) return "no data";
  const than = cell.compared === undefined ? "" : ` (${HEAT_COMPARE_WORDS[compare]} ${formatCount(cell.compared)})`;
  return `${formatCount(cell.count)}${than}${isFarMore(cell) ? ", far more" : ""}`;
}

function Legend({ view: { measure, compare } }: { readonly view: View }) {
  return (
    <ul className={styles["legend"]} data-measure={measure}>
      <li>
        <i data-step="0" />
        none
      </li>
      {HEAT_STEPS.map((least, index) => (
        <li key={least}>
          <i data-step={index + 1} />
          {index === 0 ? "1 to 9" : index === HEAT_STEPS.length - 1 ? `${String(least)} and more` : String(least)}
        </li>
      ))}
      <li>
        <i data-step="gap" />
        no data
      </li>
      {compare !== "nothing" && (
        <li>
          <i data-step="0" data-far />
          far more than {HEAT_COMPARE_WORDS[compare]}
        </li>
      )}
    </ul>
  );
}

function Pages({ view: { page, pages, clients, rows }, address }: Part) {
  if (pages <= 1 && page === 1) return null;
  const first = (page - 1) * HEAT_ROWS + 1;
  const left = clients - first - rows.length + 1;
  const to = (target: number) =>
    hrefWith(address, { page: target === 1 ? undefined : String(target), client: undefined, cell: undefined });
  return (
    <p className={styles["pages"]}>
      <span>
        {rows.length === 0
          ? `No client on page ${String(page)}`
          : `Clients ${formatCount(first)} to ${formatCount(first + rows.length - 1)} of ${formatCount(clients)}, most first`}
      </span>
      {page > 1 && (
        <Link href={to(Math.min(page - 1, pages))} scroll={false}>
          {HEAT_ROWS} before
        </Link>
      )}
      {left > 0 && (
        <Link href={to(page + 1)} scroll={false}>
          {formatCount(left)} more
        </Link>
      )}
    </p>
  );
}

/** What is shown, as links: each leads to an address of its own. */
function HeatTools({ view: { measure, range, compare }, address }: Part) {
  const changed = (changes: Readonly<Record<string, string | undefined>>) =>
    hrefWith(address, { page: undefined, client: undefined, cell: undefined, ...changes });
  // A week cannot stand beside its own yesterday.
  const compares = HEAT_COMPARES.filter((each) => range !== "7d" || each !== "yesterday");
  return (
    <div className={styles["tools"]}>
      <span className={styles["set"]} role="group" aria-label="Show">
        <i>Show</i>
        {HEAT_MEASURES.map((each) => (
          <Link
            key={each}
            href={changed({ show: each === "replayed" ? undefined : each })}
            scroll={false}
            data-plain
            aria-current={each === measure ? "true" : undefined}
          >
            {HEAT_WORDS[each].label}
          </Link>
        ))}
      </span>
      <span className={styles["set"]}>
        <i>Window</i>
        <RangeLinks
          ranges={HEAT_RANGES}
          current={range}
          href={(each) => changed({ range: each === "6h" ? undefined : each })}
        />
      </span>
      <span className={styles["set"]} role="group" aria-label="Compare with">
        <i>Compare</i>
        {compares.map((each) => (
          <Link
            key={each}
            href={hrefWith(address, { compare: each === "last-week" ? undefined : each })}
            scroll={false}
            data-plain
            aria-current={each === compare ? "true" : undefined}
          >
            {HEAT_COMPARE_WORDS[each]}
          </Link>
        ))}
      </span>
    </div>
  );
}
