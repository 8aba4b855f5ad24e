/**
 * `npm run test:failover`: a primary under load is killed, and its standby promoted as docs/runbooks/failover.md says, once with a
 * standby that confirms each commit and once with one that lags. With `--pages` instead: the built console reads its pages from a
 * standby that lags, and is killed (docs/scale/read-replica.md). The last line is `N passed, N failed`.
 */
import { parseArgs } from "node:util";
import { exitOnSignals, readCommandLine, wholeNumber } from "@/tests/support/command-line";
import { killChildren } from "../crash/children";
import { runConsolePages } from "./console-pages";
import { runFailover, type FailoverKind } from "./failover";

const KINDS: readonly FailoverKind[] = ["synchronous", "asynchronous", "asynchronous, without the step"];
const PAGES = "pages";
const DEFAULT_PURCHASES = "100";
const USAGE = `npm run test:failover [-- options]
  --purchases N   answered before the way to the standby is parted, and as many after it (${DEFAULT_PURCHASES})
  --pages         pages with a read replica, and nothing else; after npm run build
  --only TEXT     one of: ${KINDS.join("; ")}`;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const { purchases, kinds } = readCommandLine(USAGE, () => {
  const { values } = parseArgs({
    options: {
      purchases: { type: "string", default: DEFAULT_PURCHASES },
      only: { type: "string", default: "" },
      pages: { type: "boolean", default: false },
    },
  });
  const kinds = values.pages ? ([PAGES] as const) : KINDS.filter((kind) => values.only === "" || kind === values.only);
  if (kinds.length === 0) throw new Error(`--only must be one of ${KINDS.join("; ")}: ${values.only}`);
  return { purchases: wholeNumber("purchases", values.purchases), kinds };
});

process.once("exit", killChildren);
exitOnSignals();

let failed = 0;
for (const kind of kinds) {
  let problems: readonly string[];
  try {
    problems = await (kind === PAGES ? runConsolePages(say) : runFailover({ kind, purchases }, say));
  } catch (error) {
    problems = [error instanceof Error ? (error.stack ?? error.message) : String(error)];
  }
  if (problems.length > 0) failed += 1;
  say(`${problems.length > 0 ? "FAIL" : "ok"} ${kind}`);
  for (const problem of problems.slice(0, 20)) say(`  ${problem}`);
}
say(`${String(kinds.length - failed)} passed, ${String(failed)} failed`);
process.exit(failed === 0 ? 0 : 1);
