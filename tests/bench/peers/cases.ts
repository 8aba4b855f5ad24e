import { randomBytes } from "node:crypto";
import type { LoadRequest } from "../load";
import type { OrderCommand } from "./orders/order";
import { sendOrder, type PeerTarget } from "./target";
import { until } from "../../shared/until";

export const PEER_CASES = ["create", "replay", "conflict"] as const;
export type PeerCaseName = (typeof PEER_CASES)[number];

export interface PeerCase {
  readonly name: PeerCaseName;
  readonly expectedStatus: number;
  next(): LoadRequest;
}

const CREATED = 201;
const FIRST_ERROR = 400;
/** Keys that replays and conflicts go round. */
const KNOWN_KEYS = 64;
const DIGITS = 12;

/**
 * What is measured of a target, by what it does: a peer that replays nothing has no replays, and one that takes another command for the
 * same has no conflicts.
 */
export async function peerCases(target: PeerTarget): Promise<PeerCase[]> {
  const run = randomBytes(4).toString("hex");
  const order = (kind: string, n: number, quantity = 1): LoadRequest => {
    const name = `${kind}-${run}-${String(n).padStart(DIGITS, "0")}`;
    const command: OrderCommand = { reference: name, item: "book", quantity };
    return target.request(name, command);
  };
  let number = 0;
  const create: PeerCase = {
    name: "create",
    expectedStatus: CREATED,
    next: () => order("new", (number += 1)),
  };
  const known = (quantity: number) => (): LoadRequest => order("known", (number += 1) % KNOWN_KEYS, quantity);
  const first: string[] = [];
  for (let n = 0; n < KNOWN_KEYS; n += 1) {
    const { status, body } = await sendOrder(target, order("known", n));
    if (status !== CREATED) throw new Error(`${target.peer.label} answered ${String(status)}: ${body}`);
    first.push(body);
  }
  if (target.peer.name === "plain") return [create];
  // Some keep an answer after they gave it.
  for (const [n, body] of first.entries())
    await until(`${target.peer.label} replays its answer`, async () => {
      const again = await sendOrder(target, order("known", n));
      return again.status === CREATED && again.body === body;
    });
  const replay: PeerCase = { name: "replay", expectedStatus: CREATED, next: known(1) };
  const { status } = await sendOrder(target, order("known", 0, 2));
  if (status < FIRST_ERROR) return [create, replay];
  return [create, replay, { name: "conflict", expectedStatus: status, next: known(2) }];
}
