import type { Queryable } from "@/db/client";
import { COUNTEREXAMPLES, type CounterexampleId } from "@/db/checks/counterexamples";
import { CHECK_HOURS } from "@/domain/checks/windows";

/** What an oracle reads besides the product's own tables; see recorder.ts. */
export type Recorder = "journal" | "provider" | "transitions" | "messages";

/** A statement that finds the counterexamples of one promise, of one tenant. No row: it holds. */
export interface Oracle {
  /** Number in docs/CRASH.md: Q1 … Q12, Q17 to Q19. */
  readonly id: string;
  readonly name: string;
  readonly proves: string;
  readonly needs: readonly Recorder[];
  /** Selects `id` and `why`, both text. `$1` is the tenant. */
  readonly sql: string;
}

export interface Violation {
  readonly oracle: string;
  readonly id: string;
  readonly why: string;
}

/**
 * The part of an oracle that claims what a check of the catalogue claims, by the catalogue's own statement. Oracles judge what
 * processes did to rows; the catalogue takes no part in that, so one statement may serve both. Where an oracle compares with
 * what clients, provider or triggers saw, or counts effects, it has its own statements and its own list of effects: a mistake
 * in the catalogue must not hide from it.
 */
export function against(id: CounterexampleId): string {
  const statement: string = COUNTEREXAMPLES[id];
  const sql = statement.replaceAll("$2", String(CHECK_HOURS));
  return `select v.id::text as id, 'against "${id}"' as why from (${sql}) v`;
}

const SHOWN = 20;

/** @returns what contradicts the oracle in this tenant, at most SHOWN rows */
export async function askOracle(q: Queryable, oracle: Oracle, tenantId: string): Promise<Violation[]> {
  const { rows } = await q.query<{ id: string; why: string }>({
    name: `oracle_${oracle.id}`,
    text: `select v.id::text as id, v.why::text as why from (${oracle.sql}) v limit ${String(SHOWN)}`,
    values: [tenantId],
  });
  return rows.map(({ id, why }) => ({ oracle: oracle.id, id, why }));
}
