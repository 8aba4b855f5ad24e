import { setTimeout as delay } from "node:timers/promises";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect, nanos } from "@nats-io/transport-node";
import type { Database } from "@/db/client";
import { ORACLES } from "../oracles/index";
import { askOracle } from "../oracles/oracle";
import { keepProviderLedger, type ProviderRow } from "../oracles/recorder";
import { startNats, startRabbitmq } from "@/engine/testing/brokers";
import { ensureNatsStream, NATS_INBOX, NATS_STREAM } from "@/engine/outbox/transports/nats-line";
import { problemOf, type Say, type PartResult } from "../judge";
import type { Spares } from "../session";
import { openCrashEnvironment, type CrashEnvironment } from "../environment";
import { startProvider } from "../provider";
import { drainAll } from "./drain";
import { startFaults } from "./faults";
import { startFleet, type Fleet } from "./fleet";
import { markDrained, subscribe } from "./db-helpers";
import { backlogOf, commandsOf, plantPoison, poisonOf, produceAll, TOPICS, type Carrier, type Poison } from "./load";
import { natsHeld } from "./nats-held";
import { startKillablePostgres } from "./postgres";
import { figures, poisonProblems } from "./report";
import { writeHistory } from "./write";

export interface CampaignOptions {
  readonly messages: number;
  readonly seed: number;
  readonly carriers: readonly Carrier[];
}

const TENANT = "campaign";
/** Of messages in the processes of the campaign: shorter than many of its pauses. */
const LEASE_MS = 4_000;
/** A broker gives what a dead consumer had to the next one after this. */
const ACK_WAIT_MS = 5_000;
/** Faults go on until so few messages are on their way: a share of all, and the company of those that end their process. */
const LAST_SHARE = 0.02;
const LAST_MESSAGES = 150;
/** A small campaign has its faults closer together. */
const SMALL = 2_000;
const SMALL_PACE = 0.6;
const LOOK_MS = 200;
/** Faults end after this, however much is left. */
const FAULTS_MS = 330_000;
const SMALL_FAULTS_MS = 45_000;
const REPORT_MS = 15_000;
const PAYMENTS = 10;
const REFUNDS = 2;
const ACCOUNTS = 5;

/** Sends many messages through real processes while these, the brokers and PostgreSQL are killed and paused. */
export async function runCampaign(options: CampaignOptions, spares: Spares, say: Say): Promise<PartResult> {
  say(`messages: ${String(options.messages)} over ${options.carriers.join(", ")} from seed ${String(options.seed)}`);
  const given = process.env["DATABASE_URL_TEST"];
  const postgres = await startKillablePostgres();
  const closers: (() => Promise<void>)[] = [() => postgres.stop()];
  try {
    process.env["DATABASE_URL_TEST"] = postgres.url;
    const place = await openCrashEnvironment();
    closers.push(() => place.db.close());
    const nats = options.carriers.includes("nats") ? await startNats() : undefined;
    if (nats !== undefined) {
      closers.push(() => nats.stop());
      await shortAckWait(nats.url);
    }
    const rabbitmq = options.carriers.includes("rabbitmq") ? await startRabbitmq() : undefined;
    if (rabbitmq !== undefined) closers.push(() => rabbitmq.stop());
    const provider = await startProvider();
    closers.push(() => provider.close());
    const urls = {
      provider: `http://127.0.0.1:${String(provider.port)}`,
      natsUrl: nats?.url,
      rabbitmqUrl: rabbitmq?.url,
    };
    await prepare(place, options.carriers);
    const fleet = await startFleet(place, spares, urls, LEASE_MS);
    closers.push(() => fleet.close());
    const targets = { fleet, postgres, db: place.db, nats, rabbitmq };
    return await campaign(place, targets, options, () => provider.ledger(TENANT), say);
  } finally {
    process.env["DATABASE_URL_TEST"] = given;
    for (const close of closers.reverse()) await close();
  }
}

async function campaign(
  place: CrashEnvironment,
  targets: Parameters<typeof startFaults>[0],
  options: CampaignOptions,
  ledger: () => Promise<readonly ProviderRow[]>,
  say: Say,
): Promise<PartResult> {
  const { db } = place;
  const started = performance.now();
  const small = options.messages < SMALL;
  const real = await writeRealEvents(place, targets.fleet, options);
  const commands = commandsOf(options.messages - real, options.seed, options.carriers);
  const poison = poisonOf(TENANT, commands, small ? 1 : 2);
  await plantPoison(db, TENANT, poison);
  const until = performance.now() + (small ? SMALL_FAULTS_MS : FAULTS_MS);
  const reporting = setInterval(() => {
    void backlogOf(db, TENANT).then((left) => {
      const count = [...faults.tally.values()].reduce((sum, each) => sum + each, 0);
      say(
        `  ${String(Math.round((performance.now() - started) / 1_000))} s: ${String(count)} faults, ${String(left)} on their way`,
      );
    });
  }, REPORT_MS);
  const producing = produceAll(db, targets.fleet, TENANT, commands);
  const faults = startFaults(targets, options.seed, small ? SMALL_PACE : 1);
  try {
    const last = Math.max(LAST_MESSAGES, options.messages * LAST_SHARE);
    const enough = async (): Promise<boolean> =>
      (await backlogOf(db, TENANT)) <= last && [...faults.tally.values()].every((count) => count > 0);
    const made = await Promise.race([producing.then(() => true), delay(until - performance.now(), false)]);
    while (made && performance.now() < until && !(await enough())) await delay(LOOK_MS);
  } finally {
    await faults.stop();
    clearInterval(reporting);
  }
  await producing;
  const underFaults = performance.now() - started;
  const drained = await drainAll(db, TENANT);
  await markDrained(place, TENANT);
  const problems = await problemsOf(db, poison, await ledger());
  for (const line of await figures(db, TENANT, { faults: faults.tally, drained, underFaults, fleet: targets.fleet })) {
    say(line);
  }
  for (const problem of problems) say(`FAIL ${problem}`);
  if (targets.nats !== undefined) for (const line of await natsHeld(targets.nats.url, problems)) say(line);
  const { messages, seed } = options;
  if (problems.length > 0)
    say(`  again: npm run test:crash -- --part messages --messages ${String(messages)} --seed ${String(seed)}`);
  const asked = ORACLES.length + 1;
  const wrong = new Set(problems.map((problem) => problem.split(" ", 1)[0])).size;
  return { passed: asked - wrong, failed: wrong };
}

async function prepare(place: CrashEnvironment, carriers: readonly Carrier[]): Promise<void> {
  const { pool } = place.db;
  await pool.query({ text: "insert into onceboard.tenants (id, name) values ($1, $1)", values: [TENANT] });
  await subscribe(place);
  for (const { topic, transport } of TOPICS.filter((each) => carriers.includes(each.transport))) {
    await pool.query({
      text: "select onceboard.set_topic($1, $2, 0, $3, null, false, null, 'the suite')",
      values: [TENANT, topic, transport],
    });
  }
}

/** Events of the example business, so that ledger and receipts are among the consumers. @returns how many */
async function writeRealEvents(place: CrashEnvironment, fleet: Fleet, { messages }: CampaignOptions): Promise<number> {
  const [producer] = fleet.of("producer");
  if (producer === undefined) return 0;
  const wanted = { payments: Math.min(PAYMENTS, Math.ceil(messages / 100)), refunds: REFUNDS, accounts: ACCOUNTS };
  await writeHistory({ session: { place, rescuer: producer.child() }, tenant: TENANT }, wanted);
  return wanted.payments * (1 + wanted.refunds) + wanted.accounts;
}

/** One oracle after the other: each of them reads all messages. */
async function problemsOf(db: Database, poison: Poison, ledger: readonly ProviderRow[]): Promise<string[]> {
  await keepProviderLedger(db.pool, TENANT, ledger);
  const found = [];
  for (const oracle of ORACLES) found.push(...(await askOracle(db.pool, oracle, TENANT)));
  return [...found.map(problemOf), ...(await poisonProblems(db, TENANT, poison))];
}

/** As an operator may set it; the product's own is a minute. */
async function shortAckWait(url: string): Promise<void> {
  const connection = await connect({ servers: url });
  try {
    await ensureNatsStream(connection);
    const manager = await jetstreamManager(connection);
    await manager.consumers.update(NATS_STREAM, NATS_INBOX, { ack_wait: nanos(ACK_WAIT_MS) });
  } finally {
    await connection.close();
  }
}
