import { setTimeout as delay } from "node:timers/promises";
import { seededRandom } from "@/payments/sandbox/faults";
import type { Database } from "@/db/client";
import type { TestBroker } from "@/engine/testing/brokers";
import type { Fleet, Member } from "./fleet";
import { signal, type KillablePostgres } from "./postgres";

export interface FaultTargets {
  readonly fleet: Fleet;
  readonly postgres: KillablePostgres;
  readonly db: Database;
  readonly nats: TestBroker | undefined;
  readonly rabbitmq: TestBroker | undefined;
}

export interface CampaignFaults {
  /** How often what was done, by its name. */
  readonly tally: ReadonlyMap<string, number>;
  /** Ends after what is under way; everything runs again by then. */
  stop(): Promise<void>;
}

export type Random = () => number;
export interface Kind {
  readonly name: string;
  act(random: Random): Promise<void>;
}
/** Faults of one group come one after the other, groups beside each other. */
export interface Group {
  readonly kinds: readonly Kind[];
  readonly gapMs: readonly [number, number];
}

const PAUSE_MS = [500, 7_000] as const;
const BROKER_PAUSE_MS = [500, 6_000] as const;
const BACKEND_PAUSE_MS = [300, 3_000] as const;
const DOWN_MS = 1_500;

/** Kills and pauses processes, brokers and PostgreSQL at random until it is stopped. @param pace factor of the time between faults */
export function startFaults(targets: FaultTargets, seed: number, pace: number): CampaignFaults {
  return startGroups(groupsOf(targets), seed, pace);
}

/** Does what the groups name, at random from the seed and each kind at least once where there is time, until it is stopped. */
export function startGroups(groups: readonly Group[], seed: number, pace: number): CampaignFaults {
  const tally = new Map<string, number>();
  const stopping = new AbortController();
  for (const { kinds } of groups) for (const { name } of kinds) tally.set(name, 0);
  const isOver = (): boolean => stopping.signal.aborted;
  const running = groups.map(async ({ kinds, gapMs }, index) => {
    const random = seededRandom(seed + index * 7_919);
    // Each kind once before any comes again by chance.
    const first = shuffled(kinds, random);
    while (!isOver()) {
      await delay(between(gapMs, random) * pace, undefined, { signal: stopping.signal }).catch(() => undefined);
      const kind = first.shift() ?? kinds[Math.floor(random() * kinds.length)];
      if (isOver() || kind === undefined) return;
      await kind.act(random);
      tally.set(kind.name, (tally.get(kind.name) ?? 0) + 1);
    }
  });
  // What ends one of them is said by stop(), and stops nothing before.
  for (const one of running) one.catch(() => undefined);
  return {
    tally,
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}

function groupsOf({ fleet, postgres, db, nats, rabbitmq }: FaultTargets): Group[] {
  const groups: Group[] = [
    { kinds: processes("relay", fleet.of("relay")), gapMs: [2_000, 5_000] },
    { kinds: processes("consumer", fleet.of("consumer")), gapMs: [2_000, 5_000] },
    {
      kinds: [...processes("inbox", fleet.of("inbox")), ...processes("producer", fleet.of("producer"))],
      gapMs: [3_000, 7_000],
    },
    { kinds: databaseKinds(postgres, db), gapMs: [4_000, 9_000] },
  ];
  if (nats !== undefined) groups.push({ kinds: brokerKinds("nats", nats), gapMs: [4_000, 8_000] });
  if (rabbitmq !== undefined) groups.push({ kinds: brokerKinds("rabbitmq", rabbitmq), gapMs: [6_000, 12_000] });
  return groups;
}

export function processes(name: string, members: readonly Pick<Member, "kill" | "pause">[]): Kind[] {
  const one = (random: Random): (typeof members)[number] | undefined => members[Math.floor(random() * members.length)];
  return [
    { name: `${name}: kill -9`, act: async (random) => one(random)?.kill() },
    { name: `${name}: paused`, act: async (random) => one(random)?.pause(between(PAUSE_MS, random)) },
  ];
}

export function brokerKinds(name: string, broker: TestBroker): Kind[] {
  return [
    {
      name: `${name}: kill -9, restarted`,
      async act(random) {
        await broker.kill();
        await delay(random() * DOWN_MS);
        await broker.restart();
      },
    },
    {
      name: `${name}: paused`,
      async act(random) {
        await broker.pause();
        await delay(between(BROKER_PAUSE_MS, random));
        broker.resume();
      },
    },
  ];
}

function databaseKinds(postgres: KillablePostgres, db: Database): Kind[] {
  return [...serverKinds(postgres), ...sessionKinds(db, "^(relay|consumer|inbox|producer)")];
}

/** Ends the server in one of three ways and starts it again. */
export function serverKinds(postgres: KillablePostgres): Kind[] {
  const restart = (how: "fast" | "immediate" | "kill", name: string): Kind => ({
    name: `postgresql: ${name}`,
    act: (random) => postgres.restart(how, random() * DOWN_MS),
  });
  return [
    restart("kill", "kill -9 of the server"),
    restart("immediate", "immediate restart"),
    restart("fast", "fast restart"),
  ];
}

/** @param names pattern of the application names of whom sessions are killed and paused */
export function sessionKinds(db: Database, names: string): Kind[] {
  return [
    {
      name: "postgresql: kill -9 of a session",
      async act(random) {
        const pid = await someSession(db, names, random);
        if (pid !== undefined) signal(pid, "SIGKILL");
      },
    },
    {
      name: "postgresql: a session paused",
      async act(random) {
        const pid = await someSession(db, names, random);
        if (pid === undefined || !signal(pid, "SIGSTOP")) return;
        await delay(between(BACKEND_PAUSE_MS, random));
        signal(pid, "SIGCONT");
      },
    },
  ];
}

/** @returns the process of a session of ours that is at work, if one is found */
async function someSession(db: Database, names: string, random: Random): Promise<number | undefined> {
  try {
    const { rows } = await db.pool.query<{ pid: number }>({
      text: `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
             and application_name ~ $1 order by state <> 'active', pid`,
      values: [names],
    });
    return rows[Math.floor(random() * Math.min(rows.length, 6))]?.pid;
  } catch {
    return undefined;
  }
}

function shuffled<T>(list: readonly T[], random: Random): T[] {
  return list
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

export function between([low, high]: readonly [number, number], random: Random): number {
  return low + random() * (high - low);
}
