import { setMaxListeners } from "node:events";
import { beatHeart, stopHeart } from "@/db/metrics/heartbeats";
import { ERROR_TEXT_LIMIT } from "@/domain/messages/error-fingerprint";
import { withTimeout } from "@/domain/with-timeout";
import { createHandlerPace } from "@/engine/inbox/handler-pace";
import { createHttpTransport, ownInbox } from "@/engine/outbox/transports/http";
import { createSigner } from "@/engine/outbox/transports/sign";
import { createTransports } from "@/engine/outbox/transports/transports";
import { createWebhookTransport } from "@/engine/outbox/webhooks/webhook-transport";
import { brokerTransports, startBrokers } from "./brokers";
import type { Loop, LoopDeps, TickResult, WorkerDeps } from "./deps";
import { createAlertTransports } from "@/console/alerts/alert-transport";
import { alertsLoop } from "./loops/alerts";
import { auditLoops } from "./loops/audit";
import { consumeAloneLoop, consumeLoop } from "./loops/consume";
import { invariantsLoop } from "./loops/invariants";
import { planLookUpsLoop, plansLoop } from "./loops/plans";
import { recoverLoop } from "./loops/recover";
import { relayLoop } from "./loops/relay";
import { retainLoop } from "./loops/retain";
import { attachmentsLoop, rollUpLoop, statisticsLoop } from "./loops/roll-up";
import { runLoop } from "./run-loop";

export type { WorkerDeps } from "./deps";

/** How long ticks under way may take once the worker stops; shorter than a process gets to end. */
export const WORKER_STOP_LIMIT_MS = 8_000;
/** Gauges are sampled and minutes closed at least so often. */
const ROLL_UP_INTERVAL_MS = 5_000;
const RETAIN_INTERVAL_MS = 60_000;
const INVARIANTS_INTERVAL_MS = 60_000;
const ALERTS_INTERVAL_MS = 15_000;
const ATTACHMENTS_INTERVAL_MS = 30_000;
const STATISTICS_INTERVAL_MS = 2_000;
const PAGERDUTY_URL = "https://events.pagerduty.com";
const MOST_LISTENERS = 64;

export type Worker = ReturnType<typeof startWorker>;

/** Any number of workers may run. @param options.address of our own API, when that is not PUBLIC_URL */
export function startWorker(deps: WorkerDeps, options: { readonly address?: string } = {}) {
  const stopping = new AbortController();
  // Each loop listens, and each of a broker; more than Node takes for a leak.
  setMaxListeners(MOST_LISTENERS, stopping.signal);
  const { engine, config, modules } = deps;
  const { registry, consumers } = modules;
  const allowPrivate = config.webhookAllowPrivate;
  const signer = createSigner();
  const destination = ownInbox(options.address ?? config.publicUrl);
  const transports = createTransports(
    {
      http: createHttpTransport({ destination, allowPrivate, signer }),
      webhooks: createWebhookTransport({ allowPrivate }),
      alerts: createAlertTransports({ allowPrivate, ...alertSettings(config) }),
      ofTopics: new Map(modules.destinations.map((destination) => [destination.topic, destination.open()])),
      ...brokerTransports(config, signer),
    },
    config.outboxTransport,
  );
  const brokers = startBrokers(deps);
  const loopDeps: LoopDeps = { engine, config, registry, consumers, transports, signal: stopping.signal };
  const running = Promise.all([...loopsOf(deps), ...brokers.loops].map((loop) => run(loop, loopDeps, stopping.signal)));
  let stopped: Promise<void> | undefined;
  return {
    /** Ends all loops after what they are doing; may be called more than once. */
    stop: (): Promise<void> =>
      (stopped ??= (async () => {
        stopping.abort();
        await withTimeout(Promise.all([running, brokers.stop()]), WORKER_STOP_LIMIT_MS, () => undefined);
        await withTimeout(transports.close(), WORKER_STOP_LIMIT_MS, () => undefined);
        await stopHeart(engine.db.pool, engine.instance).catch((error: unknown) => {
          engine.log.warn({ err: error }, "the heartbeats could not be removed");
        });
      })()),
  };
}

/** @returns the loops of a worker, for it and for tests that tick by hand. */
export function loopsOf(deps: Pick<WorkerDeps, "config" | "engine">): readonly Loop[] {
  const { workerIntervalMs } = deps.config;
  const pace = createHandlerPace();
  return [
    relayLoop(workerIntervalMs),
    consumeLoop(workerIntervalMs, pace),
    consumeAloneLoop(workerIntervalMs, pace),
    recoverLoop(workerIntervalMs),
    plansLoop(),
    planLookUpsLoop(),
    rollUpLoop(Math.max(workerIntervalMs, ROLL_UP_INTERVAL_MS)),
    retainLoop(RETAIN_INTERVAL_MS),
    invariantsLoop(INVARIANTS_INTERVAL_MS),
    alertsLoop(ALERTS_INTERVAL_MS),
    attachmentsLoop(ATTACHMENTS_INTERVAL_MS),
    statisticsLoop(STATISTICS_INTERVAL_MS),
    ...auditLoops(deps),
  ];
}

function alertSettings({ publicUrl, pagerdutyUrl = PAGERDUTY_URL, smtpUrl, mailFrom, dataDir }: WorkerDeps["config"]) {
  const mail = mailFrom === undefined || dataDir === undefined ? undefined : { smtpUrl, mailFrom, dataDir };
  return { publicUrl, pagerdutyUrl, mail };
}

async function run(loop: Loop, deps: LoopDeps, signal: AbortSignal): Promise<void> {
  const { db, instance, log } = deps.engine;
  await runLoop<TickResult>({
    tick: () => loop.tick(deps),
    intervalMs: loop.intervalMs,
    busy: (result) => loop.busy(result),
    idle: (result) => Object.values(result).every((value) => value === 0),
    signal,
    async onTick({ result, error, pauseMs }) {
      if (error !== undefined && !signal.aborted) log.error({ err: error, loop: loop.name, pauseMs }, "a tick failed");
      const text =
        error === undefined
          ? undefined
          : (error instanceof Error ? error.message : "unknown").slice(0, ERROR_TEXT_LIMIT);
      const beat = {
        loop: loop.name,
        instance,
        intervalMs: Math.max(loop.intervalMs, Math.round(pauseMs)),
        result,
        error: text,
      };
      await beatHeart(db.pool, beat).catch((failure: unknown) =>
        log.warn({ err: failure, loop: loop.name }, "a heartbeat was lost"),
      );
    },
  });
  await loop.end?.();
}
