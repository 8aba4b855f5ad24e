import type { MiniChainView, MiniStation } from "./chain";

export const CHAIN_STATIONS = ["key", "operation", "provider", "outbox", "inbox", "ledger"] as const;

const WORDS: Readonly<Record<MiniStation, string>> = {
  done: "done",
  moving: "moving",
  waiting: "not yet",
  unknown: "unknown",
  unconfirmed: "not confirmed",
  refused: "refused",
  dead: "dead",
  missing: "missing",
  unused: "not used",
  not_due: "not due",
};

/** @returns the six stations as text: "key done, operation done, provider unknown, …" */
export function chainWords(stations: MiniChainView): string {
  return CHAIN_STATIONS.map((name, index) => `${name} ${WORDS[stations[index] ?? "missing"]}`).join(", ");
}
