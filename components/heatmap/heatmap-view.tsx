import { below } from "@/components/ui/base-path";
import { ChartTable } from "@/components/charts/chart-table";
import { RangeLinks } from "@/components/charts/range-links";
import { RolledUp } from "@/components/clients/client-range";
import { EmptyState } from "@/components/feedback/notice";
import { Link } from "@/components/ui/link";
import { Button } from "@/components/ui/button";
import { PageHead } from "@/components/ui/page-head";
import { Section, TwoColumns, type SectionProps } from "@/components/ui/section";
import { HEAT_COMPARES, HEAT_MEASURES, HEAT_RANGES, HEAT_ROWS } from "@/domain/metrics/heatmap";
import { emptyMapWords } from "@/presentation/metrics/cell-claims";
import { MAX_FILTER_TEXT, type FilterProblem } from "@/presentation/filters/search";
import { formatCount, formatDuration } from "@/presentation/format/display-time";
import { hrefWith, type PageAddress, pageParam } from "@/presentation/list/page-address";
import { HEAT_STEPS, isFarMore } from "@/presentation/metrics/heatmap";
import { cellFilters, cellListHref } from "@/presentation/metrics/heatmap-links";
import { HEAT_COMPARE_WORDS, HEAT_WORDS, findWords, heatmapWords } from "@/presentation/metrics/heatmap-verdict";
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
      {view.rows.length === 0 && view.selected === undefined ? (
        <ClientSection view={view} address={address} space="normal" />
      ) : (
        <TwoColumns side={<CellSide view={view} selected={view.selected} address={address} />}>
          <ClientSection view={view} address={address} />
        </TwoColumns>
      )}
      {view.distributions.map((each) => (
        <Distribution key={each.measure} view={each} address={address} />
      ))}
    </>
  );
}

type Part = Pick<HeatmapViewProps, "view" | "address">;

function ClientSection({ view, address, space = "none" }: Part & Pick<SectionProps, "space">) {
  const { measure, at, rolledUpMs, window, columns, rows, all } = view;
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
      space={space}
    >
      {rows.length === 0 ? (
        <NoRows view={view} address={address} />
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
              row === all
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

function NoRows({ view, address }: Part) {
  const { range, rolledUpMs, clients, find } = view;
  if (find !== undefined && clients > 0)
    return (
      <EmptyState
        title={findWords(view)}
        actions={
          <Link href={hrefWith(address, { find: undefined, page: undefined })} scroll={false}>
            Show all {formatCount(clients)}
          </Link>
        }
      />
    );
  return <EmptyState title={heatmapWords(view.facts).headline[0] ?? ""} text={emptyMapWords({ range, rolledUpMs })} />;
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

function Pages({ view, address }: Part) {
  const { page, pages, find, found, rows } = view;
  if (pages <= 1 && page === 1 && find === undefined) return null;
  if (find !== undefined && rows.length === 0 && page === 1) return null;
  const first = (page - 1) * HEAT_ROWS + 1;
  const left = found - first - rows.length + 1;
  const to = (target: number) =>
    hrefWith(address, { page: target === 1 ? undefined : String(target), client: undefined, cell: undefined });
  return (
    <p className={styles["pages"]}>
      <span>
        {rows.length === 0
          ? `No client on page ${String(page)}`
          : `Clients ${formatCount(first)} to ${formatCount(first + rows.length - 1)} of ${formatCount(found)}, most first`}
      </span>
      {find !== undefined && <span>{findWords(view)}</span>}
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
function HeatTools({ view, address }: Part) {
  const { measure, range, compare } = view;
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
      {(view.clients > HEAT_ROWS || view.find !== undefined) && <FindClient view={view} address={address} />}
    </div>
  );
}

/** Left out of the address where another client is looked for. */
const NEW_FIND = ["find", "page", "client", "cell", "dialog"];

function FindClient({ view: { find = "" }, address: { path, search } }: Part) {
  const kept = Object.entries(search).flatMap(([name, value]) =>
    typeof value !== "string" || NEW_FIND.includes(name) ? [] : [{ name, value }],
  );
  return (
    <form key={find} className={styles["find"]} method="get" action={below(path)} role="search">
      {kept.map(({ name, value }) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <label>
        Client <input name="find" defaultValue={find} maxLength={MAX_FILTER_TEXT} placeholder="part of its name" />
      </label>
      <Button type="submit" small>
        Find
      </Button>
    </form>
  );
}
