/**
 * One process of the crash suite: the engine and the example business, with orders over IPC, and armed to die, stop,
 * lose its connections or throw at a named point. Started by tests/crash/children.ts with a channel and a pipe.
 */
import { arm, reached, type Ports } from "./arm";
import type { Done, Message, Order, ChildReply } from "./protocol";
import { watchSockets } from "./sockets";
import { callResultOf, callResultOfError } from "./call-results";
import { openWork, type ChildWork } from "./work";

let work: ChildWork | undefined;
let ports: Ports = { database: 0, provider: 0, peer: 0 };

watchSockets();
process.on("message", (message: Message) => void answer(message));
// Without its parent it has nothing to do, and it must not hold connections.
process.on("disconnect", () => process.exit(0));

async function answer({ id, order }: Message): Promise<void> {
  let reply: ChildReply;
  try {
    reply = { id, ...(await obey(order)) };
  } catch (error) {
    reply = { id, failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  // A parent that is gone hears nothing, and this process ends with the channel.
  process.send?.(reply, undefined, undefined, () => undefined);
}

async function obey(order: Order): Promise<Done> {
  if (order.do === "open") {
    await work?.close();
    ports = { database: portOf(order.place.databaseUrl), provider: portOf(order.place.providerUrl), peer: 0 };
    work = openWork(order.place);
    return {};
  }
  if (order.do === "arm") {
    arm(order.arming, () => ports);
    return {};
  }
  if (work === undefined) throw new Error("this child has no place yet");
  switch (order.do) {
    case "call":
      return { result: await callResult(work, order) };
    case "recover":
      return recover(work, order.tenant);
    case "flush":
      await work.flush();
      return {};
    case "relay":
      ports = { ...ports, peer: portOf(order.inbox) };
      return work.messages.obey(order);
    default:
      return work.messages.obey(order);
  }
}

async function callResult(at: ChildWork, { tenant, client, wish }: Extract<Order, { do: "call" }>) {
  try {
    const answer = await at.call(tenant, client, wish);
    reached("C9");
    return at.result(callResultOf(answer));
  } catch (error) {
    return at.result(callResultOfError(error));
  }
}

/** A tick that fails is tried again by the loop around it, as in the worker. */
async function recover(at: ChildWork, tenant: string): Promise<Done> {
  try {
    return { taken: await at.recover(tenant) };
  } catch (error) {
    return { taken: 0, trouble: error instanceof Error ? error.message : String(error) };
  }
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}
