import { setTimeout as delay } from "node:timers/promises";
import { withConcurrency } from "@/domain/with-concurrency";
import { seededRandom } from "@/payments/sandbox/faults";
import { newCaller, recordCall } from "../crash/caller";
import { openCrashEnvironment, type CrashEnvironment } from "../crash/environment";
import { apiKeyFor } from "../crash/http/api";
import { problemOf, type PartResult, type Say } from "../crash/judge";
import { markDrained, subscribe } from "../crash/messages/db-helpers";
import { drainAll, retryWhileDown } from "../crash/messages/drain";
import { startGroups } from "../crash/messages/faults";
import { startKillablePostgres } from "../crash/messages/postgres";
import { ORACLES } from "../crash/oracles/index";
import { askOracle } from "../crash/oracles/oracle";
import { keepProviderLedger } from "../crash/oracles/recorder";
import { ledgerOf } from "../crash/provider";
import { askOnceMore, callUntilKnown, knowsAll, type AskedOperation, type AskedProcesses } from "./callers";
import { startSoakDeployment, type SoakDeployment } from "./deployment";
import { soakFaults } from "./faults";
import { openSmallDisk } from "./small-disk";
import { brokerVariables, startSoakBroker, type SoakBroker } from "./soak-broker";

export interface SoakOptions {
  readonly operations: number;
  readonly seed: number;
  readonly minutes: number;
  /** Callers at a time. */
  readonly atOnce: number;
  /** Over which messages leave, and which is killed and stands still. */
  readonly broker: SoakBroker;
}

const TENANT = "soak";
const MS_PER_MINUTE = 60_000;
const REPORT_MS = 15_000;
const RECORDED_AT_ONCE = 8;
const PROBLEMS_SHOWN = 40;
/** Of PostgreSQL: it fits the small disk, and the time of a start after a kill stays short. */
const SETTINGS = { max_wal_size: "512MB", checkpoint_timeout: "2min" } as const;

/** Calls, faults, an end of the faults, and the oracles. */
export async function runSoak(options: SoakOptions, say: Say): Promise<PartResult> {
  const given = process.env["DATABASE_URL_TEST"];
  const closers: (() => void | Promise<void>)[] = [];
  try {
    const disk = openSmallDisk();
    if (disk === undefined) say("disk full: left out, this user may not mount a file system");
    else closers.push(() => disk.close());
    const postgres = await startKillablePostgres(disk?.directory, SETTINGS);
    closers.push(() => postgres.stop());
    process.env["DATABASE_URL_TEST"] = postgres.url;
    const place = await openCrashEnvironment();
    closers.push(() => place.db.close());
    const broker = await startSoakBroker(options.broker);
    closers.push(() => broker.stop());
    const apiKey = await prepare(place);
    const variables = brokerVariables(options.broker, broker.url);
    const deployment = await startSoakDeployment(place, variables, seededRandom(options.seed));
    closers.push(() => deployment.close());
    const targets = { deployment, postgres, db: place.db, broker, brokerName: options.broker, disk };
    const faults = startGroups(soakFaults(targets), options.seed, 1);
    const asked: AskedOperation[] = [];
    try {
      await callAll(options, deployment, apiKey, asked, () => sumOf(faults.tally), say);
    } finally {
      await faults.stop();
    }
    const asking = { ports: deployment.apiPorts, apiKey, random: seededRandom(options.seed + 2) };
    return await judgeAll(place, deployment, { asked, asking }, options, faults.tally, say);
  } finally {
    process.env["DATABASE_URL_TEST"] = given;
    for (const close of closers.reverse()) await close();
  }
}

const sumOf = (tally: ReadonlyMap<string, number>): number => [...tally.values()].reduce((sum, each) => sum + each, 0);

async function prepare(place: CrashEnvironment): Promise<string> {
  const apiKey = await apiKeyFor(place, TENANT);
  await subscribe(place);
  // The other topics leave over the broker (OUTBOX_TRANSPORT).
  await place.db.pool.query({
    text: "select onceboard.set_topic($1, 'accounts', 0, 'http', null, false, null, 'the suite')",
    values: [TENANT],
  });
  return apiKey;
}

async function callAll(
  { operations, seed, minutes, atOnce }: SoakOptions,
  { apiPorts }: SoakDeployment,
  apiKey: string,
  asked: AskedOperation[],
  count: () => number,
  say: Say,
): Promise<void> {
  say(`soak: ${String(operations)} operations by ${String(atOnce)} callers from seed ${String(seed)}`);
  const started = performance.now();
  const reporting = setInterval(() => {
    const known = asked.filter(knowsAll).length;
    const at = Math.round((performance.now() - started) / 1_000);
    say(`  ${String(at)} s: ${String(count())} faults, ${String(asked.length)} asked, ${String(known)} known`);
  }, REPORT_MS);
  try {
    const until = started + minutes * MS_PER_MINUTE;
    await callUntilKnown({ operations, ports: apiPorts, apiKey, random: seededRandom(seed + 1), until, atOnce }, asked);
  } finally {
    clearInterval(reporting);
  }
}

/** The faults are over: everything settles and arrives, and what everybody was told is held against what there is. */
async function judgeAll(
  place: CrashEnvironment,
  deployment: SoakDeployment,
  { asked, asking }: { readonly asked: readonly AskedOperation[]; readonly asking: AskedProcesses },
  options: SoakOptions,
  tally: ReadonlyMap<string, number>,
  say: Say,
): Promise<PartResult> {
  const { db } = place;
  await deployment.rightClocks();
  const open = await untilSettled(place);
  const late = await askOnceMore(asked, asking);
  if (late > 0) say(`soak: ${String(late)} callers had given up and came back after the faults`);
  const drained = await drainAll(db, TENANT);
  await markDrained(place, TENANT);
  await withConcurrency(RECORDED_AT_ONCE, asked, async ({ wish, heard }) => {
    for (const { sentAt, ...result } of heard)
      if (result.outcome !== "lost") await recordCall(place, TENANT, newCaller(wish), "crash", sentAt, result);
  });
  await keepProviderLedger(
    db.pool,
    TENANT,
    await ledgerOf(`http://127.0.0.1:${String(deployment.sandboxPort)}`, TENANT),
  );
  // Sessions of whole processes have the name of their role, so Q9 cannot hold who wrote against whose lease it was.
  await db.pool.query({
    text: "update witness.messages set actor = from_owner where from_owner is not null and actor like 'onceboard %'",
  });
  const found = [];
  for (const oracle of ORACLES) found.push(...(await askOracle(db.pool, oracle, TENANT)));
  const unknown = asked.filter((one) => !knowsAll(one));
  const problems = [
    ...(open > 0 ? [`settling ${String(open)} operations are open after the faults`] : []),
    ...found.map(problemOf),
    ...unknown.map(
      ({ wish, heard }) =>
        `callers ${wish.key}: ended with ${heard.at(-1)?.outcome ?? "nothing"} ${heard.at(-1)?.code ?? ""}`,
    ),
  ];
  for (const line of await figures(place, asked, tally, deployment)) say(line);
  say(
    `soak: ${String(asked.length)} operations, ${String(drained.requeued)} dead letters handed back, ${String(drained.left)} messages left ${String(Math.round(drained.ms / 1_000))} s after the faults`,
  );
  if (asked.length < options.operations) say(`soak: the time was over before ${String(options.operations)} operations`);
  for (const problem of problems.slice(0, PROBLEMS_SHOWN)) say(`FAIL ${problem}`);
  if (problems.length > 0)
    say(
      `  again: npm run test:soak -- --operations ${String(options.operations)} --seed ${String(options.seed)} --broker ${options.broker}`,
    );
  const wrong = new Set(problems.map((problem) => problem.split(" ", 1)[0])).size;
  return { passed: ORACLES.length + 2 - wrong, failed: wrong };
}

const SETTLE_MS = 180_000;
const LOOK_MS = 500;

/**
 * Recovery settles what owners left that died: their leases run out by themselves. What waits for a later look-up is due at once.
 * @returns how many operations are open still
 */
async function untilSettled({ db }: CrashEnvironment): Promise<number> {
  const until = performance.now() + SETTLE_MS;
  for (;;) {
    const { rows } = await retryWhileDown(() =>
      db.pool.query<{ count: number }>({
        text: `with due as (update onceboard.idempotency_open set next_check_at = clock_timestamp()
                 where tenant_id = $1 and next_check_at > clock_timestamp() and locked_until is null)
               select count(*)::integer as count from onceboard.idempotency_open where tenant_id = $1`,
        values: [TENANT],
      }),
    );
    const count = rows[0]?.count ?? 0;
    if (count === 0 || performance.now() > until) return count;
    await delay(LOOK_MS);
  }
}

async function figures(
  { db }: CrashEnvironment,
  asked: readonly AskedOperation[],
  tally: ReadonlyMap<string, number>,
  deployment: SoakDeployment,
): Promise<string[]> {
  const { rows } = await db.pool.query<{ name: string; count: number }>({
    text: `select 'messages published over ' || coalesce(h.transport, 'nothing') as name, count(*)::integer as count
           from onceboard.outbox_history h where h.tenant_id = $1 group by h.transport
           union all select 'messages handled by ' || i.consumer, count(*)::integer from onceboard.inbox_messages i
           where i.tenant_id = $1 and i.state = 'processed' group by i.consumer
           union all select 'rows of handlings of the suite''s consumer', count(*)::integer from witness.effects where tenant_id = $1
           union all select 'effects of the provider', count(*)::integer from witness.provider_ledger where tenant_id = $1
           union all select 'operations taken over', count(*)::integer from onceboard.idempotency_events
           where tenant_id = $1 and type = 'taken_over' order by 1`,
    values: [TENANT],
  });
  const heard = new Map<string, number>();
  for (const one of asked) for (const { outcome } of one.heard) heard.set(outcome, (heard.get(outcome) ?? 0) + 1);
  const done = [
    ...[...tally].map(([name, count]) => ({ name, count })),
    { name: "starts with a clock an hour off", count: deployment.shifted() },
    ...[...heard].map(([name, count]) => ({ name: `answers: ${name}`, count })),
    ...rows,
  ];
  return done.map(({ name, count }) => `  ${String(count).padStart(7)}  ${name}`);
}
