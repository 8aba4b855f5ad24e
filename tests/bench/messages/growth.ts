import { markdownTable, wholeFigure } from "../../shared/markdown";
import { onBenchServer } from "../database";
import type { Contender } from "./contender";
import { fillHistory } from "./history";
import { measureContenders } from "./measure";
import { ourConsume, ourRelay, RELAY } from "./ours";
import { machineAndDurability } from "./machine";
import { mediansOf, type Series } from "./table";

/** As the figures name it. */
export const GROWTH_CASE = "growth";

export interface GrowthOptions {
  readonly jobs: number;
  readonly rounds: number;
  /** Rows in each of the two histories. */
  readonly history: number;
}

/** The rates of relay and inbox in empty tables and beside a month of history, in turns in one run. */
export async function benchGrowth(options: GrowthOptions): Promise<{ text: string; figures: readonly Series[] }> {
  return onBenchServer(async (server) => {
    const log = (line: string): void => void process.stderr.write(`${line}\n`);
    const contenders = [ourRelay(), ourConsume("nothing")].flatMap((one) => [one, grown(one, options.history, log)]);
    const series = await measureContenders(contenders, { server, ...options, log });
    const text = [await machineAndDurability(server), "", tableOf(series, options.history)].join("\n");
    return { text, figures: series };
  });
}

function grown(contender: Contender, rows: number, log: (line: string) => void): Contender {
  return {
    ...contender,
    async open(url) {
      const opened = await contender.open(url);
      try {
        await fillHistory(url, rows, log);
        return opened;
      } catch (error) {
        await opened.close();
        throw error;
      }
    },
  };
}

/** Each with history follows the one without. */
function tableOf(series: readonly Series[], history: number): string {
  const head = ["what", "no history", `with ${history.toLocaleString("en")} rows in each history`, "ratio"];
  const rows: string[][] = [];
  for (let at = 0; at + 1 < series.length; at += 2) {
    const [fresh, old] = [series[at], series[at + 1]];
    if (fresh === undefined || old === undefined) continue;
    const { name } = fresh.contender;
    const [before, after] = [mediansOf(fresh), mediansOf(old)];
    const line = (what: string, was: number, is: number): void =>
      void rows.push([what, wholeFigure(was), wholeFigure(is), (is / was).toFixed(2)]);
    line(`${name === RELAY ? "write to the outbox" : "receive"}, per second`, before.sent, after.sent);
    line(`${name}, per second`, before.finished, after.finished);
    // Moved less than a rate by whatever else the machine does.
    if (!Number.isNaN(before.server))
      line(`${name}, CPU µs a message`, before.client + before.server, after.client + after.server);
  }
  return markdownTable(head, rows);
}
