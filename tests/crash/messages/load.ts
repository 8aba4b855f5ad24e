import { setTimeout as delay } from "node:timers/promises";
import { seededRandom } from "@/payments/sandbox/faults";
import type { Database } from "@/db/client";
import { type CountCommand, countedId } from "../child/count-operation";
import { unlessLost } from "../children";
import { countOpenMessages } from "./db-helpers";
import type { Fleet } from "./fleet";
import { retryWhileDown } from "./drain";

/** Topics of a campaign and what carries them. */
export const TOPICS = [
  { topic: "crash-http-1", transport: "http" },
  { topic: "crash-http-2", transport: "http" },
  { topic: "crash-nats", transport: "nats" },
  { topic: "crash-rabbitmq", transport: "rabbitmq" },
] as const;
export type Carrier = (typeof TOPICS)[number]["transport"];

/** A short campaign does without the broker that takes longest to start. */
export function carriersOf(short: boolean): readonly Carrier[] {
  return short ? ["http", "nats"] : ["http", "nats", "rabbitmq"];
}

const MESSAGES_MAX = 24;
const CALLS_PER_ORDER = 40;
/** The producer waits while so many messages wait for a relay. */
const BACKLOG = 2_000;
const LOOK_MS = 100;

/** @returns calls whose messages are `messages` together */
export function commandsOf(messages: number, seed: number, carriers: readonly Carrier[]): CountCommand[] {
  const random = seededRandom(seed);
  const topics = TOPICS.filter(({ transport }) => carriers.includes(transport)).map(({ topic }) => topic);
  const commands: CountCommand[] = [];
  for (let left = messages; left > 0;) {
    const count = Math.min(left, 1 + Math.floor(random() * MESSAGES_MAX));
    commands.push({
      name: `call-${String(commands.length)}`,
      topic: topics[Math.floor(random() * topics.length)] ?? "crash-http-1",
      aggregates: 1 + Math.floor(random() * 3),
      messages: count,
    });
    left -= count;
  }
  return commands;
}

/** Messages that nobody can handle: some end their consumer's process each time, some fail, some fail at first only. */
export interface Poison {
  readonly exits: readonly string[];
  readonly throws: readonly string[];
  readonly passes: readonly string[];
}

/** @param exits of these, how many end their consumer's process */
export function poisonOf(tenant: string, commands: readonly CountCommand[], exits: number): Poison {
  const step = Math.max(1, Math.floor(commands.length / 8));
  const chosen = commands.filter((_, index) => index % step === Math.floor(step / 2));
  const ids = chosen.map(({ name, messages }) => countedId(tenant, name, messages - 1));
  return { exits: ids.slice(0, exits), throws: ids.slice(exits, exits + 2), passes: ids.slice(exits + 2) };
}

export async function plantPoison(db: Database, tenant: string, { exits, throws, passes }: Poison): Promise<void> {
  for (const [ids, kind, until] of [
    [exits, "exit", null],
    [throws, "throw", null],
    [passes, "throw", 3],
  ] as const) {
    await db.pool.query({
      text: "insert into witness.troubles (tenant_id, message_id, kind, until_attempt) select $1, unnest($2::text[]), $3, $4",
      values: [tenant, [...ids], kind, until],
    });
  }
}

/** Lets the producer make all calls, as fast as relays take what they leave; a producer that dies begins its order again. */
export async function produceAll(
  db: Database,
  fleet: Fleet,
  tenant: string,
  commands: readonly CountCommand[],
): Promise<void> {
  const [producer] = fleet.of("producer");
  for (let at = 0; at < commands.length;) {
    const order = { do: "produce", tenant, commands: commands.slice(at, at + CALLS_PER_ORDER) } as const;
    const isFull = (await backlogOf(db, tenant)) > BACKLOG;
    const done = isFull ? undefined : await producer?.child().ask(order).catch(unlessLost);
    if (done === undefined) await delay(LOOK_MS);
    else at += CALLS_PER_ORDER;
  }
}

export function backlogOf(db: Database, tenant: string): Promise<number> {
  return retryWhileDown(() => countOpenMessages({ db }, tenant, "all"));
}
