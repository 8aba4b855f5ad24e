import { randomUUID } from "node:crypto";
import { buildGate, HELD_ITEM, type Gate } from "./gate";
import { sendOrder, type PeerTarget } from "./target";

/** Callers of one key. */
export const AT_ONCE = 50;

/** What a peer did when it mattered. */
export interface PeerFacts {
  /** Of so many keys, each of which fifty callers sent at once. */
  readonly atOnce: {
    readonly keys: number;
    readonly effects: number;
    readonly statuses: Readonly<Record<string, number>>;
  };
  /** Of one key whose process was killed between effect and answer, and that was sent again to its successor. */
  readonly crash: { readonly effects: number; readonly status: number };
}

/** @param keys that are sent at once, one after the other: a gap that is narrow shows with some of them */
export async function factsOf(target: PeerTarget, keys: number): Promise<PeerFacts> {
  const gate = await buildGate(target.url);
  try {
    const statuses: Record<string, number> = {};
    let effects = 0;
    for (let key = 0; key < keys; key += 1) effects += await sendAtOnce(target, gate, statuses);
    return { atOnce: { keys, effects, statuses }, crash: await killBetween(target, gate) };
  } finally {
    await gate.remove();
  }
}

/** The first effect is held up until each of the others has its answer, or can do nothing but wait. @returns how many effects there are */
async function sendAtOnce(target: PeerTarget, gate: Gate, statuses: Record<string, number>): Promise<number> {
  const { key, command } = heldOrder();
  let answered = 0;
  await gate.close();
  const sent = Array.from({ length: AT_ONCE }, async () => {
    const { status } = await sendOrder(target, target.request(key, command));
    answered += 1;
    return status;
  });
  try {
    await gate.reached(1);
    await gate.quiet(() => answered);
  } finally {
    await gate.open();
  }
  for (const status of await Promise.all(sent)) statuses[status] = (statuses[status] ?? 0) + 1;
  return gate.effects(command.reference);
}

/** The commit of the effect has begun when the process is killed, so it ends; its answer reaches nobody. */
async function killBetween(target: PeerTarget, gate: Gate): Promise<PeerFacts["crash"]> {
  const { key, command } = heldOrder();
  await gate.close();
  const lost = sendOrder(target, target.request(key, command));
  try {
    await gate.reached(1);
    await target.kill();
  } finally {
    await gate.open();
  }
  await lost;
  await gate.committed(command.reference);
  await target.start();
  const { status } = await sendOrder(target, target.request(key, command));
  return { effects: await gate.effects(command.reference), status };
}

function heldOrder() {
  const reference = randomUUID();
  return { key: `held-${reference}`, command: { reference, item: HELD_ITEM, quantity: 1 } };
}
