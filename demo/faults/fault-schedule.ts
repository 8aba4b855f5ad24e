import { setTimeout as wait } from "node:timers/promises";

/** What the provider goes through, some seconds at a time. */
interface FaultPhase {
  readonly name: string;
  readonly faults: Readonly<Record<string, number>>;
  readonly seconds: number;
}

const CALM: Readonly<Record<string, number>> = { slow_ms: 90, duplicate_webhook: 0.04, timeout_after_accept: 0.002 };
const PHASES: readonly FaultPhase[] = [
  { name: "answers lost", faults: { ...CALM, timeout_after_accept: 0.3 }, seconds: 8 },
  { name: "errors after the effect", faults: { ...CALM, error_after_accept: 0.3 }, seconds: 10 },
  { name: "errors", faults: { ...CALM, error_before: 0.3 }, seconds: 8 },
  { name: "slow", faults: { ...CALM, slow_ms: 1_800 }, seconds: 12 },
  { name: "rate limit", faults: { ...CALM, rate_limit: 0.4 }, seconds: 10 },
  { name: "duplicate webhooks", faults: { ...CALM, duplicate_webhook: 0.7 }, seconds: 20 },
  { name: "garbage", faults: { ...CALM, garbage: 0.2 }, seconds: 8 },
  { name: "processing", faults: { ...CALM, processing: 0.3 }, seconds: 12 },
  { name: "webhooks lost", faults: { ...CALM, no_webhook: 1, error_after_accept: 0.1 }, seconds: 15 },
  { name: "garbage webhooks", faults: { ...CALM, garbage_webhook: 0.15 }, seconds: 10 },
  { name: "down", faults: { ...CALM, down: 1 }, seconds: 4 },
];
const CALM_SECONDS = { least: 20, spread: 30 };
/** The first minute shows what the console is for: outcomes that stay unknown, and a message that cannot be handled. */
const FIRST_PHASES = ["processing", "garbage webhooks", "answers lost"];
const FIRST_CALM_SECONDS = 8;
/** So much of what is processing settles after its phase; the rest stays in doubt until it is old, or a person decides. */
const SETTLED_SHARE = 0.6;
const YOUNG_MS = 60_000;
const OLD_MS = 20 * 60_000;
const CONTROL_TIMEOUT_MS = 3_000;

export interface FaultSchedule {
  /** For the status line. */
  current(): string;
  /** Ends the phase, clears the faults, settles what is still processing. */
  stop(): Promise<void>;
}

/** Varies the sandbox's faults in bursts: long calm, short phases of one trouble. */
export function startFaultSchedule(sandboxUrl: string, random: () => number): FaultSchedule {
  const stop = new AbortController();
  let current = "calm";
  const run = async (): Promise<void> => {
    for (let count = 0; !stop.signal.aborted; count += 1) {
      current = "calm";
      await setFaults(sandboxUrl, CALM);
      const first = FIRST_PHASES[count];
      const calm = first === undefined ? CALM_SECONDS.least + random() * CALM_SECONDS.spread : FIRST_CALM_SECONDS;
      await wait(calm * 1000, undefined, { signal: stop.signal });
      const phase = PHASES.find(({ name }) => name === first) ?? PHASES[Math.floor(random() * PHASES.length)];
      if (!phase) continue;
      current = phase.name;
      await setFaults(sandboxUrl, phase.faults);
      await wait(phase.seconds * 1000, undefined, { signal: stop.signal });
      await settleProcessing(sandboxUrl, random, SETTLED_SHARE);
    }
  };
  const done = run().catch(() => undefined);
  return {
    current: () => current,
    stop: async () => {
      stop.abort();
      await done;
      await setFaults(sandboxUrl, {});
      await settleProcessing(sandboxUrl, random, 1);
    },
  };
}

/** A control that is away for a moment does not end the schedule. */
async function setFaults(sandboxUrl: string, faults: Readonly<Record<string, number>>): Promise<void> {
  await control(`${sandboxUrl}/_control/faults`, {});
  if (Object.keys(faults).length > 0) await control(`${sandboxUrl}/_control/faults`, faults);
}

async function settleProcessing(sandboxUrl: string, random: () => number, share: number): Promise<void> {
  const ledger = await control(`${sandboxUrl}/_control/ledger?status=processing`);
  const entries: unknown = typeof ledger === "object" && ledger !== null && "entries" in ledger ? ledger.entries : [];
  for (const entry of Array.isArray(entries) ? (entries as { providerKey?: unknown; createdAt?: unknown }[]) : []) {
    const age = Date.now() - Date.parse(String(entry.createdAt));
    if (share < 1 && age < OLD_MS && (age > YOUNG_MS || random() >= share)) continue;
    const status = random() < 0.9 ? "succeeded" : "declined";
    await control(`${sandboxUrl}/_control/settle`, { providerKey: entry.providerKey, status });
  }
}

async function control(url: string, body?: unknown): Promise<unknown> {
  try {
    const response = await fetch(url, {
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(CONTROL_TIMEOUT_MS),
    });
    return (await response.json()) as unknown;
  } catch {
    return undefined;
  }
}
