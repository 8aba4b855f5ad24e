import { createHash } from "node:crypto";
import { seededRandom } from "@/payments/sandbox/faults";
import {
  MODES,
  type Fault,
  type MessagePoint,
  type Mode,
  type OperationName,
  type Point,
  type PointBase,
  type ProcessRole,
} from "./point";
import { POINTS } from "./points";

/** A point and what is done there, e.g. `P4:kill`. */
export interface Cell {
  readonly point: Point | MessagePoint;
  readonly mode: Mode;
}

/** What every run decides, made from its seed and its cell alone. */
interface PlanBase<P extends PointBase> {
  readonly seed: number;
  readonly cell: string;
  readonly point: P;
  readonly mode: Mode;
  /** On the wire: what is lost. */
  readonly lost: "answer" | "request";
  /** What was held on the wire arrives after all, when everything is settled. */
  readonly late: boolean;
  /** `stop`: what the others come to before the paused process is back; one that only took the leases died at once. */
  readonly overtaken: "settled" | "only_taken";
  /** The database ends the sessions of the paused process. */
  readonly sessionEnds: boolean;
}

export interface Plan extends PlanBase<Point> {
  readonly kind: "operation";
  readonly operation: OperationName;
  readonly fault: Fault | undefined;
  /** More callers of the same key in the process that is hit. */
  readonly also: number;
  /** Callers of other keys in the process that is hit, at the same moment as the first. */
  readonly neighbours: number;
  /** Callers of the same key in another process, while the first is paused or gone. */
  readonly rivals: number;
  /** One of them comes with another command. */
  readonly otherCommand: boolean;
  /** Whether the first caller retries until it knows; else only recovery helps. */
  readonly retries: boolean;
  /** `cut`: whose connections. */
  readonly side: "database" | "provider";
  /** Recovery: how the first owner ended. */
  readonly ended: "killed" | "in_doubt";
  /** Recovery: what the provider has of it; `unsent` is an owner that died before. */
  readonly left: "found" | "absent" | "unsent";
  /** Recovery: the worker's tick, or a caller that meets the stale lease. */
  readonly by: "worker" | "retry";
  /** The first recovery after it dies as well. */
  readonly again: boolean;
  /** C10: how much of the answer arrives, 0 to 1. */
  readonly share: number;
  /** The bodies are purged at the end, then everyone asks once more. */
  readonly purge: boolean;
}

export interface MessagePlan extends PlanBase<MessagePoint> {
  readonly kind: "message";
  readonly role: ProcessRole;
  /** Of which each is followed by so many refunds: events of one aggregate. */
  readonly payments: number;
  readonly refunds: number;
  /** Events of aggregates of their own. */
  readonly accounts: number;
  /** O2: at which acknowledgement. */
  readonly nth: number;
  /** `cut`: whose connections. */
  readonly side: "database" | "peer";
  /** Messages handled one by one from the first, as after a failure. */
  readonly alone: boolean;
}

export type AnyPlan = Plan | MessagePlan;

/** R8 is no place but an event: the owner that was paused comes back after it was overtaken; O5 is the same for a relay. */
const RETURNS: Readonly<Record<string, RegExp>> = { R8: /^(P[2-8]|R[2-7]):stop$/, O5: /^O[1-47]:stop$/ };

export const CELLS: readonly Cell[] = POINTS.flatMap((point) => point.modes.map((mode) => ({ point, mode })));

/** @param text `P4:kill`, `P4`, `R8`, or `P` for a whole family @throws Error when it names no cell */
export function cellsOf(text: string): Cell[] {
  const [name = "", mode] = text.split(":");
  const cells = CELLS.filter((cell) => {
    const named = name.length === 1 ? cell.point.id.startsWith(name) : cell.point.id === name;
    return RETURNS[name]?.test(cellName(cell)) ?? (named && (mode === undefined || cell.mode === mode));
  });
  if (cells.length > 0) return cells;
  if (name.length > 1 && POINTS.every(({ id }) => id !== name))
    throw new Error(`There is no crash point ${name}: ${POINTS.map(({ id }) => id).join(", ")}.`);
  throw new Error(`There is no cell ${text}: a point such as P4, and one of ${MODES.join(", ")} that it knows.`);
}

export function cellName({ point, mode }: Cell): string {
  return `${point.id}:${mode}`;
}

interface Draws {
  readonly random: () => number;
  readonly chance: (share: number) => boolean;
  readonly pick: <T>(list: readonly T[]) => T;
}

export function planOf(seed: number, cell: Cell): AnyPlan {
  const name = cellName(cell);
  const start = createHash("sha256")
    .update(`${name} ${String(seed)}`)
    .digest()
    .readUInt32BE(0);
  const random = seededRandom(start);
  const draws: Draws = {
    random,
    chance: (share) => random() < share,
    pick: <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T,
  };
  const { point, mode } = cell;
  return point.actor === "message"
    ? messagePlanOf({ seed, cell: name, point, mode }, draws)
    : operationPlanOf({ seed, cell: name, point, mode }, draws);
}

type Given<P extends PointBase> = Pick<PlanBase<P>, "seed" | "cell" | "point" | "mode">;

function operationPlanOf(cell: Given<Point>, { random, chance, pick }: Draws): Plan {
  const { point, mode } = cell;
  const operation = pick(point.operations);
  const fault = point.faults.length > 0 && operation !== "account" && chance(0.4) ? pick(point.faults) : undefined;
  const recovery = point.actor === "recovery";
  const retries = operation === "account" || chance(0.8);
  const unsent = point.id === "R1" || point.id === "R2" ? (["unsent"] as const) : [];
  const left = point.left === "any" ? pick(["found", "absent", ...unsent] as const) : (point.left ?? "found");
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
    neighbours: point.together === true ? pick([1, 3, 6]) : 0,
  };
}

function messagePlanOf(cell: Given<MessagePoint>, { chance, pick }: Draws): MessagePlan {
  const role = pick(cell.point.roles);
  const payments = pick([1, 2]);
  const accounts = pick([1, 2, 3]);
  return {
    kind: "message",
    ...cell,
    role,
    payments,
    refunds: pick([0, 1, 2]),
    accounts,
    // Of each aggregate one is sent at first.
    nth: pick(Array.from({ length: payments + accounts }, (_, index) => index + 1)),
    side: role === "relay" && chance(0.4) ? "peer" : "database",
    lost: chance(0.6) ? "answer" : "request",
    late: chance(0.5),
    overtaken: chance(0.4) ? "only_taken" : "settled",
    sessionEnds: cell.mode === "stop" && chance(0.3),
    alone: chance(0.4),
  };
}

/** @returns what is needed to see a failure again; a plan follows from seed and cell */
export function replayCommand(plan: AnyPlan): string {
  return `npm run test:crash -- --seed ${String(plan.seed)} --only ${plan.cell}`;
}
