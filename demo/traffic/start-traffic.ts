import { setMaxListeners } from "node:events";
import { settledWithin } from "@/domain/with-timeout";
import { seededRandom } from "@/payments/sandbox/faults";
import { abandon, createActor, pickOne, type TrafficActor } from "./actor";
import type { TrafficKey } from "./api-key";
import { openAccount, openOwnAccounts } from "./behaviours/account";
import { doubleClick, hurry, lateRetry, freshKey } from "./behaviours/again";
import { decline, pay } from "./behaviours/pay";
import { reuseKey } from "./behaviours/reuse-key";
import { refund, voidEarlier } from "./behaviours/reverse";
import { startFaultProxy } from "../faults/fault-proxy";
import { startFaultSchedule } from "../faults/fault-schedule";
import type { TrafficSettings } from "./options";
import { createTally } from "./tally";
import { chooseBehaviour, type BehaviourName, type Weights } from "./weights";

export interface TrafficOptions extends Omit<TrafficSettings, "keysPath"> {
  readonly keys: readonly TrafficKey[];
  /** Takes one status line every ten seconds. */
  readonly print: (line: string) => void;
}

export interface Traffic {
  /** Starts nothing new, waits for what is under way (bounded), clears the provider's faults. */
  stop(): Promise<void>;
}

const BEHAVIOURS: Readonly<Record<BehaviourName, (actor: TrafficActor) => Promise<void>>> = {
  pay,
  refund,
  void: voidEarlier,
  account: openAccount,
  decline,
  "double-click": doubleClick,
  "late-retry": lateRetry,
  "reuse-key": reuseKey,
  "new-key": freshKey,
  hurry,
};
const MAX_UNDER_WAY = 100;
const STATUS_SECONDS = 10;
const STOP_WAIT_MS = 3_000;

/** Keeps all API clients busy through a proxy that loses requests and answers. */
export async function startTraffic(options: TrafficOptions): Promise<Traffic> {
  const random = seededRandom(options.seed);
  const tally = createTally();
  const stop = new AbortController();
  setMaxListeners(MAX_UNDER_WAY, stop.signal);
  const { baseUrl, cutBefore, cutAfter } = options;
  const lossy = cutBefore + cutAfter > 0;
  const proxy = lossy
    ? await startFaultProxy({ target: baseUrl, port: 0, rates: { cutBefore, cutAfter }, random })
    : undefined;
  const actors = options.keys.map((key) =>
    createActor({
      key,
      baseUrl: proxy?.url ?? baseUrl,
      random,
      signal: stop.signal,
      onAttempt: (record) => tally.attempt(record),
    }),
  );
  await Promise.all(actors.map(openOwnAccounts));
  const schedule = options.sandboxUrl === undefined ? undefined : startFaultSchedule(options.sandboxUrl, random);
  const underWay = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  const next = (): void => {
    // Exponential gaps: arrivals bunch up as real ones do.
    timer = setTimeout(next, (-Math.log(1 - random()) / options.rate) * 1000);
    if (underWay.size >= MAX_UNDER_WAY) {
      tally.skipped();
      return;
    }
    const actor = pickOne(actors, random);
    if (!actor) return;
    tally.action();
    // What a behaviour was refused is counted per attempt; here it only ends.
    const action = act(actor, options.weights)
      .catch((error: unknown) => abandon(actor, error))
      .finally(() => underWay.delete(action));
    underWay.add(action);
  };
  if (options.rate > 0) next();
  const status = setInterval(
    () => options.print(tally.line(STATUS_SECONDS, schedule?.current() ?? "as it is")),
    STATUS_SECONDS * 1000,
  );
  return {
    stop: async () => {
      clearTimeout(timer);
      clearInterval(status);
      stop.abort();
      await settledWithin(Promise.allSettled(underWay), STOP_WAIT_MS);
      await schedule?.stop();
      await proxy?.close();
    },
  };
}

/** A refund desk refunds more often than others: its share shifts payments to refunds. */
async function act(actor: TrafficActor, weights: Weights): Promise<void> {
  const { refundShare } = actor.profile;
  const own = { ...weights, refund: weights.refund * refundShare };
  await BEHAVIOURS[chooseBehaviour(own, actor.random())](actor);
}
