import type { Queryable } from "@/db/client";
import { ORACLES } from "./oracles/index";
import { askOracle, type Violation } from "./oracles/oracle";
import { keepProviderLedger, type ProviderRow } from "./oracles/recorder";

export type Say = (line: string) => void;

/** What a part of the suite adds to the last line of the report. */
export interface PartResult {
  readonly passed: number;
  readonly failed: number;
}

/** Asks all oracles about one tenant. @param ledger the provider's word on what it did for it */
export async function judge(q: Queryable, tenant: string, ledger: readonly ProviderRow[]): Promise<Violation[]> {
  await keepProviderLedger(q, tenant, ledger);
  return (await Promise.all(ORACLES.map((oracle) => askOracle(q, oracle, tenant)))).flat();
}

export function problemOf({ oracle, id, why }: Violation): string {
  return `${oracle} ${id}: ${why}`;
}
