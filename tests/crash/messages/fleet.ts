import { setTimeout as delay } from "node:timers/promises";
import type { CrashChild } from "../children";
import { openChild, originOf, type Spares } from "../session";
import type { CrashEnvironment } from "../environment";
import { freePort } from "@/db/embedded/server";

export interface FleetUrls {
  readonly provider: string;
  readonly natsUrl: string | undefined;
  readonly rabbitmqUrl: string | undefined;
}

/** One process of the campaign; another takes its place whenever it is gone. */
export interface Member {
  readonly name: string;
  readonly role: "relay" | "consumer" | "inbox" | "producer";
  child(): CrashChild;
  /** kill -9; settles when another one has taken its place. */
  kill(): Promise<void>;
  /** SIGSTOP for so long. */
  pause(ms: number): Promise<void>;
}

export interface Fleet {
  readonly members: readonly Member[];
  of(role: Member["role"]): readonly Member[];
  /** Times that a process ended by itself: a poisonous message ended it. */
  ended(): number;
  close(): Promise<void>;
}

const LOOK_MS = 20;

/** Starts two relays, two consumers, an inbox and a producer, and replaces each that is gone. */
export async function startFleet(env: CrashEnvironment, spares: Spares, urls: FleetUrls, ms: number): Promise<Fleet> {
  const port = await freePort();
  const inbox = originOf(port);
  let closing = false;
  let ended = 0;
  const start = async (name: string, role: Member["role"], turn: number): Promise<CrashChild> => {
    const child = spares.take();
    const instance = `${name}.${String(turn)}`;
    await openChild(env, child, { databaseUrl: env.url, providerUrl: urls.provider, instance, messageLeaseMs: ms });
    if (role === "inbox") await child.ask({ do: "listen", port });
    else if (role !== "producer") {
      await child.ask({ do: "work", role, inbox, natsUrl: urls.natsUrl, rabbitmqUrl: urls.rabbitmqUrl });
    }
    return child;
  };
  const member = async (name: string, role: Member["role"]): Promise<Member & { look(): Promise<void> }> => {
    let turn = 0;
    let child = await start(name, role, turn);
    let killed = false;
    return {
      name,
      role,
      child: () => child,
      async kill() {
        const old = child;
        killed = true;
        await old.kill();
        // Faults are between processes that work, not between those that only start.
        while (child === old && !closing) await delay(LOOK_MS);
      },
      async pause(ms) {
        const paused = child;
        if (!paused.alive) return;
        await paused.stop();
        await delay(ms);
        paused.resume();
      },
      async look() {
        if (child.alive || closing) return;
        if (!killed) ended += 1;
        killed = false;
        turn += 1;
        child = await start(name, role, turn);
      },
    };
  };
  const members = await Promise.all([
    member("inbox-1", "inbox"),
    member("producer-1", "producer"),
    member("relay-1", "relay"),
    member("relay-2", "relay"),
    member("consumer-1", "consumer"),
    member("consumer-2", "consumer"),
  ]);
  const watching = members.map(async (each) => {
    while (!closing) {
      // One that ends while it starts is started again.
      await each.look().catch(() => undefined);
      await delay(LOOK_MS);
    }
  });
  return {
    members,
    of: (role) => members.filter((each) => each.role === role),
    ended: () => ended,
    async close() {
      closing = true;
      await Promise.all(watching);
      await Promise.all(members.map((each) => each.child().kill()));
    },
  };
}
