import { createDatabase } from "@/db/client";
import { migrate } from "@/db/migrate";
import { PAYMENTS_TABLES } from "@/payments/tables";
import { seedLean } from "@/demo/history/lean/seed-lean";
import { seed } from "@/demo/history/seed";
import type { PageRead } from "@/console/testing/page-read";
import { PAGE_READS } from "@/console/testing/page-reads";
import { machineClass } from "../report";
import { onBenchServer, ownDatabase } from "../database";
import { claimsTable, measureClaims, type ClaimFigures } from "./claims";
import { openReader, type Reader, type ReadTime } from "./reader";
import { boundsTable, pageTable, type PageFigures } from "./table";

/** As the figures name it. */
export const PAGES_CASE = "pages";
const EVENTS_PER_OPERATION = 5;
/** Reads of each page that are not counted: plans are made, rows come into memory, code is compiled. */
const WARM_UPS = 3;

export interface PagesOptions {
  /** Of the large database. */
  readonly operations: number;
  /** Of the one that it is compared with, over the same month: 10,000 in all, or so many that a day or a week holds 10,000. */
  readonly small: number;
  /** Both of lean histories: few rows an operation. */
  readonly lean: boolean;
  /** Of claims in both databases, and how long each is. */
  readonly rounds: number;
  readonly durationMs: number;
  /** Counted reads of each page. */
  readonly reads: number;
}

/**
 * The reads behind every page of the console, with each filter and sort, in two databases that differ in size only, in turns:
 * what grows with the rows shows as a ratio. Then claims and completions in both, in turns.
 */
export async function benchPages(
  options: PagesOptions,
): Promise<{ text: string; figures: { readonly pages: readonly PageFigures[]; readonly claims: ClaimFigures } }> {
  const log = (line: string): void => void process.stderr.write(`${line}\n`);
  const { lean } = options;
  return onBenchServer(async (server, closers) => {
    const small = await seeded(server, { operations: options.small, lean }, log, closers);
    const large = await seeded(server, { operations: options.operations, lean }, log, closers);
    const pages = await measure(small.reader, large.reader, options.reads, log);
    // Behind the reads, which it would disturb.
    const claims = await measureClaims(small.url, large.url, options);
    const sizes = [options.small, options.operations] as const;
    const text = [machineClass(), pageTable(pages, ...sizes), boundsTable(pages), claimsTable(claims, sizes)];
    return { text: text.join("\n\n"), figures: { pages, claims } };
  });
}

async function seeded(
  server: string,
  { operations, lean }: Pick<PagesOptions, "operations" | "lean">,
  log: (line: string) => void,
  closers: (() => Promise<unknown>)[],
): Promise<{ readonly url: string; readonly reader: Reader }> {
  const { url, drop } = await ownDatabase(server);
  closers.push(drop);
  await migrate(url, { modules: [PAYMENTS_TABLES] });
  const asked = { url, tenant: "acme", operations, force: false, say: () => undefined };
  const done = await (lean ? seedLean(asked) : seed({ ...asked, events: operations * EVENTS_PER_OPERATION }));
  const size = createDatabase({ url, max: 1, role: "owner" });
  const { rows } = await size.pool.query<{ size: string }>({
    text: "select pg_size_pretty(pg_database_size(current_database())) as size",
  });
  await size.close();
  log(`${operations.toLocaleString("en")} operations in ${done.seconds.toFixed(0)} s, ${rows[0]?.size ?? ""}`);
  const reader = await openReader(url);
  closers.push(() => reader.close());
  return { url, reader };
}

async function measure(
  small: Reader,
  large: Reader,
  reads: number,
  log: (line: string) => void,
): Promise<PageFigures[]> {
  const figures: PageFigures[] = [];
  for (const page of PAGE_READS) {
    try {
      figures.push(await measurePage(page, small, large, reads));
    } catch (error) {
      // One page that cannot be read takes no figure from the others.
      log(`${page.name} was not read: ${error instanceof Error ? error.message : String(error)}`);
    }
    if (figures.length % 20 === 0) log(`${String(figures.length)} of ${String(PAGE_READS.length)} reads`);
  }
  return figures;
}

async function measurePage(page: PageRead, small: Reader, large: Reader, reads: number): Promise<PageFigures> {
  const times = { small: [] as ReadTime[], large: [] as ReadTime[] };
  for (let read = -WARM_UPS; read < reads; read += 1) {
    const turns = [
      [times.small, small],
      [times.large, large],
    ] as const;
    for (const [own, reader] of turns) {
      const took = await reader.time(page);
      if (read >= 0) own.push(took);
    }
  }
  return { page: page.name, ...times };
}
