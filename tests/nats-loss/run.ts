import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { connect, nanos, type NatsConnection } from "@nats-io/transport-node";
import { AckPolicy, jetstream, jetstreamManager, RetentionPolicy, StorageType } from "@nats-io/jetstream";
import { readCommandLine, wholeNumber } from "@/tests/support/command-line";
import { findBrokers, freePort, startProgram, untilUp, type Program } from "@/engine/testing/broker-process";

/**
 * Whether a nats-server forgets messages that it acknowledged when it is killed (`kill -9`) under load: plain clients, a stream
 * with the settings of ours, a publisher that sends until it is acknowledged, and a consumer that acknowledges each message. A
 * message is lost when it was acknowledged, never reached the consumer, and is not in the stream at the end.
 *
 *   npx tsx tests/nats-loss/run.ts --kills 25 --messages 5000 [--pauses 10] [--sync always] [--replicas 3] [--server PATH] [--seed N]
 */
const USAGE = `npx tsx tests/nats-loss/run.ts [options]
  --kills N       (25)
  --pauses N      (0)
  --messages N    at least, that are sent (5000)
  --sync always   what the server's sync_interval is
  --replicas N    servers that keep the stream (1)
  --server PATH   another nats-server
  --seed N        of the times of the kills`;
const { kills, pauses, messages, replicas, seed, values } = readCommandLine(USAGE, () => {
  const { values } = parseArgs({
    options: {
      kills: { type: "string", default: "25" },
      pauses: { type: "string", default: "0" },
      messages: { type: "string", default: "5000" },
      sync: { type: "string" },
      replicas: { type: "string", default: "1" },
      server: { type: "string" },
      seed: { type: "string", default: String(Date.now() % 1_000_000) },
    },
  });
  return {
    kills: wholeNumber("kills", values.kills, 0),
    pauses: wholeNumber("pauses", values.pauses, 0),
    messages: wholeNumber("messages", values.messages),
    replicas: wholeNumber("replicas", values.replicas),
    seed: wholeNumber("seed", values.seed, 0),
    values,
  };
});
const server = values.server ?? findBrokers().nats;
const STREAM = "LOSS";
const SUBJECT = "loss.events";
const CONSUMER = "inbox";
const PUBLISHERS = 16;
const ANSWER_MS = 2_000;
const DRAIN_MS = 60_000;
const UP_MS = 30_000;

/** A small generator, so that a seed repeats the times of the kills. */
let state = seed;
function random(): number {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
  return state / 2_147_483_648;
}

interface Node {
  readonly port: number;
  kill(): Promise<void>;
  /** Lets it stand still for so long, as a machine that hangs does. */
  pause(ms: number): Promise<void>;
  start(): Promise<void>;
}

async function openNodes(root: string): Promise<readonly Node[]> {
  const ports = await Promise.all(Array.from({ length: replicas }, () => freePort()));
  const routes = await Promise.all(Array.from({ length: replicas }, () => freePort()));
  return ports.map((port, at) => {
    const file = join(root, `${String(at)}.conf`);
    const peers = routes.map((route) => `nats-route://127.0.0.1:${String(route)}`).join(", ");
    const lines = [
      `listen: "127.0.0.1:${String(port)}"`,
      `server_name: n${String(at)}`,
      `jetstream { store_dir: "${join(root, `data${String(at)}`)}"${values.sync === undefined ? "" : `, sync_interval: ${values.sync}`} }`,
      ...(replicas > 1
        ? [`cluster { name: loss, listen: "127.0.0.1:${String(routes[at])}", routes: [${peers}] }`]
        : []),
    ];
    writeFileSync(file, `${lines.join("\n")}\n`);
    let program: Program | undefined;
    return {
      port,
      async start() {
        program = startProgram(server, ["-c", file], { cwd: root });
        await untilUp(program, port);
      },
      async pause(ms) {
        program?.signal("SIGSTOP");
        await delay(ms);
        program?.signal("SIGCONT");
      },
      async kill() {
        program?.signal("SIGKILL");
        await program?.ended;
      },
    };
  });
}

const root = mkdtempSync(join(tmpdir(), "onceboard-broker-loss-"));
const nodes = await openNodes(root);
const dial = (): Promise<NatsConnection> =>
  connect({
    servers: nodes.map(({ port }) => `127.0.0.1:${String(port)}`),
    maxReconnectAttempts: -1,
    reconnectTimeWait: 50,
    pingInterval: 1_000,
    maxPingOut: 2,
  });
const again = async <T>(work: () => Promise<T>): Promise<T> => {
  const end = Date.now() + UP_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > end) throw error;
      await delay(100);
    }
  }
};

await Promise.all(nodes.map((node) => node.start()));
const [out, into] = [await dial(), await dial()];
await again(async () => {
  const manager = await jetstreamManager(out, { checkAPI: false, timeout: ANSWER_MS });
  const storage = StorageType.File;
  await manager.streams.add({
    name: STREAM,
    subjects: [SUBJECT],
    retention: RetentionPolicy.Interest,
    storage,
    num_replicas: replicas,
  });
  const durable = { durable_name: CONSUMER, ack_policy: AckPolicy.Explicit, ack_wait: nanos(5_000), max_deliver: -1 };
  await manager.consumers.add(STREAM, durable);
});

const acknowledged = new Set<string>();
const received = new Set<string>();
let publishing = true;
let consuming = true;

async function publish(): Promise<void> {
  const client = jetstream(out);
  let next = 0;
  const sender = async (): Promise<void> => {
    for (let id = next++; id < messages; id = next++) {
      const msgID = `m${String(id)}`;
      for (;;) {
        try {
          await client.publish(SUBJECT, msgID, { msgID, timeout: ANSWER_MS });
          acknowledged.add(msgID);
          break;
        } catch {
          await delay(20);
        }
      }
    }
  };
  await Promise.all(Array.from({ length: PUBLISHERS }, sender));
  publishing = false;
}

async function consume(): Promise<void> {
  const client = jetstream(into);
  while (consuming) {
    try {
      const consumer = await client.consumers.get(STREAM, CONSUMER);
      const batch = await consumer.fetch({ max_messages: 50, expires: 1_000 });
      for await (const message of batch) {
        received.add(message.string());
        // Some answers come late, so that a kill meets messages that were delivered and not acknowledged.
        if (random() < 0.2) setTimeout(() => message.ack(), random() * 500);
        else message.ack();
      }
    } catch {
      await delay(50);
    }
  }
}

async function killAtRandom(): Promise<number> {
  let done = 0;
  for (let paused = 0; done < kills && publishing; done += 1) {
    await delay(100 + random() * 400);
    const node = nodes[Math.floor(random() * nodes.length)];
    if (paused < pauses && random() < pauses / kills) {
      paused += 1;
      await node?.pause(500 + random() * 3_000);
    }
    await node?.kill();
    await delay(random() * 200);
    await node?.start();
    // A cluster of three outlives one of them, not two at once.
    if (replicas > 1) await delay(2_500);
  }
  return done;
}

const [consumed, publishedAll, killed] = [consume(), publish(), killAtRandom()];
await publishedAll;
const times = await killed;
const manager = await again(() => jetstreamManager(into, { timeout: ANSWER_MS }));
const quiet = async (): Promise<boolean> => {
  const { num_pending, num_ack_pending } = await again(() => manager.consumers.info(STREAM, CONSUMER));
  return num_pending + num_ack_pending === 0;
};
for (const end = Date.now() + DRAIN_MS; Date.now() < end && !(await quiet());) await delay(500);
consuming = false;
await consumed;

/** What the stream holds and its consumer says nothing of: not lost, and not delivered either. */
const held = new Set<string>();
const { state: kept } = await again(() => manager.streams.info(STREAM));
for (let seq = kept.first_seq; seq <= kept.last_seq; seq += 1) {
  const message = await manager.streams.getMessage(STREAM, { seq }).catch(() => null);
  if (message !== null) held.add(message.string());
}
const missing = [...acknowledged].filter((id) => !received.has(id));
const stuck = missing.filter((id) => held.has(id));
await Promise.all([out.close(), into.close()]);
await Promise.all(nodes.map((node) => node.kill()));
rmSync(root, { recursive: true, force: true });
const settings = `${String(replicas)} ${replicas === 1 ? "server" : "servers"}, sync_interval ${values.sync ?? "as it comes"}`;
process.stdout.write(
  `${settings}, seed ${values.seed}: ${String(times)} kills, ${String(acknowledged.size)} acknowledged, ${String(missing.length - stuck.length)} lost, ${String(stuck.length)} held and never delivered\n`,
);
