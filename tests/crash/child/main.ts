/**
 * One process of the crash suite: the engine and the example business, with orders over IPC, and armed to die, stop,
 * lose its connections or throw at a named point. Started by tests/crash/children.ts with a channel and a pipe.
 */
import { arm, type Ports } from "./arm";
import type { ChildReply, Done, Message, Order } from "./protocol";
import { watchSockets } from "./sockets";
import { closeWork, obey, openWork, type ChildWork } from "./work";

let work: ChildWork | undefined;
let ports: Ports = { database: 0, provider: 0, peer: 0 };

watchSockets();
process.on("message", (message: Message) => void answer(message));
// Without its parent it has nothing to do, and it must not hold connections.
process.on("disconnect", () => process.exit(0));

async function answer({ id, order }: Message): Promise<void> {
  let reply: ChildReply;
  try {
    reply = { id, ...(await carryOut(order)) };
  } catch (error) {
    reply = { id, failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  // A parent that is gone hears nothing, and this process ends with the channel.
  process.send?.(reply, undefined, undefined, () => undefined);
}

async function carryOut(order: Order): Promise<Done> {
  if (order.do === "open") {
    if (work !== undefined) await closeWork(work);
    ports = { database: portOf(order.place.databaseUrl), provider: portOf(order.place.providerUrl), peer: 0 };
    work = openWork(order.place);
    return {};
  }
  if (order.do === "arm") {
    arm(order.arming, () => ports);
    return {};
  }
  if (work === undefined) throw new Error("this child has no place yet");
  if (order.do === "relay") ports = { ...ports, peer: portOf(order.inbox) };
  return obey(work, order);
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}
