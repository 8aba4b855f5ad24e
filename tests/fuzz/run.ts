/**
 * `npm run test:fuzz`: requests that are broken, odd or made by schemathesis from docs/openapi.json, to every route. None is answered
 * with a 5xx of ours, and what must be refused leaves nothing. The last line is `N passed, N failed`. docs/TRUST.md.
 */
import { parseArgs } from "node:util";
import { setup, teardown } from "@/db/testing/global-setup";
import { readCommandLine, wholeNumber } from "@/tests/support/command-line";
import { FUZZ_PARTS, sendPart, type FuzzPart } from "./campaign";
import { runSchemathesis } from "./schemathesis";
import { openFuzzTarget, type ServerFault, type FuzzTarget } from "./target";

const DEFAULT_REQUESTS = "50000";
const ALL = [...FUZZ_PARTS, "schemathesis"] as const;
/** Of all requests; schemathesis sends what is left. */
const SHARES: Readonly<Record<FuzzPart, number>> = { wire: 0.25, calls: 0.25, odd: 0.4 };
const USAGE = `npm run test:fuzz [-- options]
  --requests N   of all parts together (${DEFAULT_REQUESTS}); schemathesis may send some more
  --seed TEXT    which of them
  --part a,b     of ${ALL.join(", ")}; all by default
  --from N       number of the first one, of one part`;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const { wanted, from, parts, seed } = readCommandLine(USAGE, () => {
  const { values } = parseArgs({
    options: {
      requests: { type: "string", default: DEFAULT_REQUESTS },
      seed: { type: "string", default: String(Date.now() % 1_000_000_000) },
      part: { type: "string", default: ALL.join(",") },
      from: { type: "string", default: "0" },
    },
  });
  const parts = ALL.filter((part) => values.part.split(",").includes(part));
  if (parts.length === 0) throw new Error(`--part must be of ${ALL.join(", ")}: ${values.part}`);
  return {
    wanted: wholeNumber("requests", values.requests),
    from: wholeNumber("from", values.from, 0),
    parts,
    seed: values.seed,
  };
});

const total = { sent: 0, failed: 0 };
const fail = (line: string): void => {
  total.failed += 1;
  say(`FAIL ${line}`);
};

async function runPart(at: FuzzTarget, part: FuzzPart): Promise<void> {
  const requests = Math.round(wanted * (parts.length === 1 ? 1 : SHARES[part]));
  const { sent, findings, statuses, kinds } = await sendPart(at, { part, from, requests, seed, say });
  total.sent += sent;
  for (const finding of findings) fail(finding);
  const counts = [...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${String(count)} × ${String(status)}`);
  say(`${part}: ${String(sent)} requests of ${String(kinds.size)} kinds: ${counts.join(", ")}`);
}

/** What was refused left nothing. */
async function runRefused(at: FuzzTarget): Promise<void> {
  const before = await at.rows();
  for (const part of ["wire", "calls"] as const) if (parts.includes(part)) await runPart(at, part);
  for (const key of await at.keysUsed())
    fail(`an operation stands under ${key}, which had to be refused (--seed ${seed})`);
  for (const [table, count] of await at.rows()) {
    const had = before.get(table) ?? 0;
    if (count !== had) fail(`${table} had ${String(had)} rows before the refused requests, and has ${String(count)}`);
  }
}

/** Each kind of answer once, with one of its requests and how many there were. */
function worded(faults: readonly ServerFault[]): readonly string[] {
  const kindOf = ({ method, status, text }: ServerFault): string =>
    `${method} ${String(status)} ${/"title":"[^"]*"/.exec(text)?.[0] ?? text}`;
  const byKind = new Map<string, ServerFault[]>();
  for (const fault of faults) byKind.set(kindOf(fault), [...(byKind.get(kindOf(fault)) ?? []), fault]);
  return [...byKind.values()].flatMap((all) => {
    const [first] = all;
    if (first === undefined) return [];
    const { method, url, status, text } = first;
    return [`${String(all.length)} × ${method} ${url} was answered ${String(status)}: ${text}`];
  });
}

await setup();
let at: FuzzTarget | undefined;
try {
  say(`seed ${seed}`);
  at = await openFuzzTarget();
  await runRefused(at);
  if (parts.includes("odd")) await runPart(at, "odd");
  if (parts.includes("schemathesis")) {
    const least = Math.max(1, parts.length === 1 ? wanted : wanted - total.sent);
    const before = at.seen.requests;
    const note = await runSchemathesis(at, { requests: least, seed, say });
    total.sent += at.seen.requests - before;
    say(`schemathesis: ${note ?? `${String(at.seen.requests - before)} requests`}`);
  }
  for (const line of worded(at.faults)) fail(line);
  say(`${String(at.seen.overloaded)} answers of overload, which the contract allows`);
} catch (error) {
  fail(error instanceof Error ? (error.stack ?? error.message) : String(error));
} finally {
  await at?.close();
  await teardown();
}
say(`${String(total.sent - total.failed)} passed, ${String(total.failed)} failed`);
process.exit(total.failed === 0 ? 0 : 1);
