import { createClient, OnceboardError, type AttemptRecord, type OnceboardClient } from "@/client/index";
import type { TrafficKey } from "./api-key";
import { trafficProfile, type TrafficProfile } from "./profile";
import type { TrafficCommand, PaymentFields } from "./wire";

/** A payment that succeeded and may still be refunded, voided or retried late. */
export interface Remembered {
  readonly command: TrafficCommand;
  readonly fields: PaymentFields;
  readonly paymentId: string;
  readonly order: number;
  leftMinor: number;
}

/** One API client at work. */
export interface TrafficActor {
  readonly name: string;
  readonly tenant: string;
  readonly profile: TrafficProfile;
  /** Well behaved: backs off as the contract says. */
  readonly client: OnceboardClient;
  /** Gives up on an answer after a blink and asks again at once. */
  readonly hasty: OnceboardClient;
  /** Sends once, no retry: for requests that are meant to meet each other. */
  readonly blunt: OnceboardClient;
  readonly memory: Remembered[];
  readonly random: () => number;
  readonly signal: AbortSignal;
  nextOrder(): number;
}

const MAX_REMEMBERED = 400;
/** Order numbers go on after a restart: this many per second, counted from a fixed day. */
const ORDERS_PER_SECOND = 5;
const ORDER_EPOCH_MS = Date.UTC(2026, 9, 1);
const HASTY = { attemptTimeoutMs: 60, baseMs: 20, capMs: 60, budgetMs: 4_000, maxAttempts: 8 };

export interface ActorOptions {
  readonly key: TrafficKey;
  readonly baseUrl: string;
  readonly random: () => number;
  readonly signal: AbortSignal;
  readonly onAttempt: (record: AttemptRecord) => void;
}

export function createActor(options: ActorOptions): TrafficActor {
  const { key, baseUrl, random, signal, onAttempt } = options;
  const profile = trafficProfile(key.name);
  const { apiVersion } = profile;
  const headers = apiVersion === undefined ? {} : { "api-version": apiVersion };
  const common = { baseUrl, apiKey: key.key, random, onAttempt, headers };
  let order = 0;
  return {
    name: key.name,
    tenant: key.tenant,
    profile,
    client: createClient(common),
    hasty: createClient({ ...common, schedule: HASTY }),
    blunt: createClient({ ...common, schedule: { maxAttempts: 1 } }),
    memory: [],
    random,
    signal,
    nextOrder: () => {
      order = Math.max(order + 1, Math.floor(((Date.now() - ORDER_EPOCH_MS) / 1000) * ORDERS_PER_SECOND));
      return order;
    },
  };
}

/** A caller of the demo never comes back for what stayed unknown: finding out is left to the server's recovery. */
export async function abandon(actor: TrafficActor, error: unknown): Promise<void> {
  if (!(error instanceof OnceboardError) || error.key === undefined) return;
  for (const client of [actor.client, actor.hasty, actor.blunt]) await client.forget(error.key);
}

/** Keeps the newest; the oldest is forgotten. */
export function remember(actor: TrafficActor, payment: Remembered): void {
  actor.memory.push(payment);
  if (actor.memory.length > MAX_REMEMBERED) actor.memory.shift();
}

/** @returns one remembered payment that fits, any of them. */
export function recall(
  actor: TrafficActor,
  fits: (payment: Remembered) => boolean = () => true,
): Remembered | undefined {
  const fitting = actor.memory.filter(fits);
  return fitting[Math.floor(actor.random() * fitting.length)];
}

export function pickOne<T>(list: readonly [T, ...T[]] | readonly T[], random: () => number): T | undefined {
  return list[Math.floor(random() * list.length)];
}
