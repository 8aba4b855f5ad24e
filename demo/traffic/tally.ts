import type { AttemptRecord } from "@/client/index";

/** Counts what clients were told, for one status line per period. */
export interface Tally {
  attempt(record: AttemptRecord): void;
  action(): void;
  skipped(): void;
  /** @returns one line about the time since the last call, and starts over. */
  line(seconds: number, provider: string): string;
}

const SHORT: Readonly<Record<string, string>> = {
  success: "executed",
  "idempotency.payload_mismatch": "conflict",
  "idempotency.in_progress": "in progress",
  "idempotency.outcome_unknown": "unknown",
  "payment.duplicate_reference": "same reference",
  "payment.insufficient_funds": "declined",
};

export function createTally(): Tally {
  let counts = new Map<string, number>();
  let actions = 0;
  let skipped = 0;
  const add = (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
  return {
    attempt: (record) => {
      if (record.attempt > 1) add("retries");
      add(record.code === undefined ? "no answer" : (SHORT[record.notes] ?? record.notes));
    },
    action: () => (actions += 1),
    skipped: () => (skipped += 1),
    line: (seconds, provider) => {
      const parts = [...counts].sort(([, a], [, b]) => b - a).map(([name, count]) => `${String(count)} ${name}`);
      const busy = skipped > 0 ? `, ${String(skipped)} left out, too many under way` : "";
      const text = `traffic: ${(actions / seconds).toFixed(1)} actions/s${busy} · ${parts.join(" · ") || "nothing answered"} · provider ${provider}`;
      counts = new Map();
      actions = 0;
      skipped = 0;
      return text;
    },
  };
}
