import type { Queryable } from "@/db/client";
import { callRows, callScalar } from "@/db/named-call";

export interface FailedDelivery {
  readonly tenantId: string;
  readonly topic: string;
  /** Failures in a row that open the circuit. */
  readonly limit: number;
  /** Between two canaries, milliseconds: doubles from one to the other. */
  readonly baseMs: number;
  readonly capMs: number;
  /** For the jitter, 0 ≤ random < 1. */
  readonly random: number;
  readonly errorCode: string;
  readonly error: string;
}

export interface Circuit {
  readonly wasOpen: boolean;
  readonly isOpen: boolean;
  /** Milliseconds since it opened; 0 while it is closed. */
  readonly openMs: number;
}

/** Counts a failed delivery. @returns the circuit of its topic before and after */
export async function failCircuit(db: Queryable, input: FailedDelivery): Promise<Circuit> {
  interface Row {
    readonly was_open: boolean;
    readonly is_open: boolean;
    readonly open_ms: string | number | bigint;
  }
  const [row] = await callRows<Row>(db, "fail_circuit", input);
  if (row === undefined) throw new Error("fail_circuit: no row");
  return { wasOpen: row.was_open, isOpen: row.is_open, openMs: Number(row.open_ms) };
}

/** What {@link testCircuit} found; only `due` has changed anything. */
export type CircuitTest = "due" | "closed" | "out" | "paused" | "empty";

/** The topic's canary is due now, and so is the waiting message whose turn comes first. */
export async function testCircuit(db: Queryable, tenantId: string, topic: string): Promise<CircuitTest> {
  return (await callScalar<CircuitTest>(db, "test_circuit", [tenantId, topic])) ?? "closed";
}

/** The topic is sent to again. @returns whether its circuit was open */
export async function closeCircuit(db: Queryable, tenantId: string, topic: string): Promise<boolean> {
  return (await callScalar<boolean>(db, "close_circuit", [tenantId, topic])) ?? false;
}
