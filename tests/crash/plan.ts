import { createHash } from "node:crypto";
import { seededRandom } from "@/payments/sandbox/faults";
import { messagePlanOf, type Draws, type MessagePlan } from "./messages/plan";
import { type Fault, type Mode, MODES, type OperationName, type Point } from "./point";
import { MESSAGE_POINTS, type MessagePoint } from "./messages/points";
import { OPERATION_POINTS } from "./operation-points";

/** A point and what is done there, e.g. `P4:kill`. */
export interface Cell {
  readonly point: Point | MessagePoint;
  readonly mode: Mode;
}

export type AnyPlan = Plan | MessagePlan;

/** Everything that one run of an operation decides, made from its seed and its cell alone. */
export interface Plan {
  readonly kind: "operation";
  readonly seed: number;
  readonly cell: string;
  readonly point: Point;
  readonly mode: Mode;
  readonly operation: OperationName;
  readonly fault: Fault | undefined;
  /** More callers of the same key in the process that is hit. */
  readonly also: number;
  /** Callers of the same key in another process, while the first is paused or gone. */
  readonly rivals: number;
  /** One of them comes with another command. */
  readonly otherCommand: boolean;
  /** Whether the first caller retries until it knows; else only recovery helps. */
  readonly retries: boolean;
  /** `cut`: whose connections. */
  readonly side: "database" | "provider";
  /** On the wire to the database: what is lost. */
  readonly lost: "answer" | "request";
  /** A request that was held arrives after all, when everything is settled. */
  readonly late: boolean;
  /** Recovery: how the first owner ended. */
  readonly ended: "killed" | "in_doubt";
  /** Recovery: what the provider has of it; `unsent` is an owner that died before. */
  readonly left: "found" | "absent" | "unsent";
  /** Recovery: the worker's tick, or a caller that meets the stale lease. */
  readonly by: "worker" | "retry";
  /** `stop`: what recovery comes to before the paused owner is back; one that only took it over died at once. */
  readonly overtaken: "settled" | "only_taken";
  /** The database ends the sessions of the paused process. */
  readonly sessionEnds: boolean;
  /** The first recovery after it dies as well. */
  readonly again: boolean;
  /** C10: how much of the answer arrives, 0 to 1. */
  readonly share: number;
  /** The bodies are purged at the end, then everyone asks once more. */
  readonly purge: boolean;
}

/** R8 is no place but an event: the owner that was paused comes back after it was overtaken. */
const RETURNED_OWNER = /^(P[2-8]|R[2-7]):stop$/;
/** So is O5, of a relay. */
const OVERTAKEN_RELAY = /^O[1-47]:stop$/;

/** All of them, in the order of docs/CRASH.md. */
export const POINTS: readonly (Point | MessagePoint)[] = [...OPERATION_POINTS, ...MESSAGE_POINTS];

export const CELLS: readonly Cell[] = POINTS.flatMap((point) => point.modes.map((mode) => ({ point, mode })));

/** @param text `P4:kill`, `P4`, `R8`, or `P` for a whole family @throws Error when it names no cell */
export function cellsOf(text: string): Cell[] {
  const [name = "", mode] = text.split(":");
  const cells = CELLS.filter(
    (cell) =>
      (name === "R8" && RETURNED_OWNER.test(cellName(cell))) ||
      (name === "O5" && OVERTAKEN_RELAY.test(cellName(cell))) ||
      ((cell.point.id === name || (name.length === 1 && cell.point.id.startsWith(name))) &&
        (mode === undefined || cell.mode === mode)),
  );
  if (cells.length > 0) return cells;
  if (name.length > 1) pointOf(name);
  throw new Error(`There is no cell ${text}: a point such as P4, and one of ${MODES.join(", ")} that it knows.`);
}

export function cellName({ point, mode }: Cell): string {
  return `${point.id}:${mode}`;
}

export function planOf(seed: number, cell: Cell): AnyPlan {
  const name = cellName(cell);
  const random = seededRandom(
    createHash("sha256")
      .update(`${name} ${String(seed)}`)
      .digest()
      .readUInt32BE(0),
  );
  const draws: Draws & { readonly random: () => number } = {
    random,
    chance: (share) => random() < share,
    pick: <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T,
  };
  const { point, mode } = cell;
  return point.actor === "message"
    ? messagePlanOf({ seed, cell: name, point, mode }, draws)
    : operationPlanOf({ seed, cell: name, point, mode }, draws);
}

function operationPlanOf(
  cell: Pick<Plan, "seed" | "cell" | "point" | "mode">,
  { random, chance, pick }: Draws & { readonly random: () => number },
): Plan {
  const { point, mode } = cell;
  const operation = pick(point.operations);
  const fault = point.faults.length > 0 && operation !== "account" && chance(0.4) ? pick(point.faults) : undefined;
  const recovery = point.actor === "recovery";
  const retries = operation === "account" || chance(0.8);
  const asked =
    point.id === "R1" || point.id === "R2" ? (["found", "absent", "unsent"] as const) : (["found", "absent"] as const);
  const left = point.left === "any" ? pick(asked) : (point.left ?? "found");
  const ended = left === "unsent" || chance(0.35) ? "killed" : "in_doubt";
  const provider = point.id.startsWith("P") || recovery;
  return {
    kind: "operation",
    ...cell,
    operation,
    fault,
    also: retries && !recovery && chance(0.4) ? pick([1, 2, 3]) : 0,
    rivals: retries && chance(0.6) ? pick([1, 2, 3]) : 0,
    otherCommand: chance(0.4),
    retries,
    side: provider && operation !== "account" && chance(0.25) ? "provider" : "database",
    lost: chance(0.7) ? "answer" : "request",
    late: chance(0.5),
    ended,
    left,
    by: ended === "killed" && retries && point.id !== "R1" && chance(0.5) ? "retry" : "worker",
    overtaken: chance(0.4) ? "only_taken" : "settled",
    sessionEnds: mode === "stop" && chance(0.3),
    again: !recovery && operation !== "account" && chance(0.15),
    share: random(),
    purge: retries && chance(0.3),
  };
}

/** @returns what is needed to see a failure again; a plan follows from seed and cell */
export function replayCommand(plan: AnyPlan): string {
  return `npm run test:crash -- --seed ${String(plan.seed)} --only ${plan.cell}`;
}

function pointOf(id: string): Point | MessagePoint {
  const point = POINTS.find((each) => each.id === id);
  if (point === undefined)
    throw new Error(`There is no crash point ${id}: ${POINTS.map((each) => each.id).join(", ")}.`);
  return point;
}
