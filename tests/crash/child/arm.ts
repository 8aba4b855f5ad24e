import { writeSync } from "node:fs";
import { armCrashPoints } from "@/engine/crash-point";
import { FAULT_FD, type Arming } from "./protocol";
import type { Seams } from "./seams";
import { cutSockets } from "./sockets";
import type { PointId } from "@/tests/crash/point";
import { POINTS } from "@/tests/crash/points";

export class PlantedError extends Error {
  constructor(point: string) {
    super(`thrown at ${point}`);
    this.name = "PlantedError";
  }
}

let armed: Arming | undefined;
let waits = 1;
let ports: () => Ports;

/** Where this process connects to. */
export type Ports = Readonly<Record<Arming["side"], number>>;

/** @param arming what happens the next time its point is reached, once */
export function arm(arming: Arming | undefined, at: () => Ports): void {
  armed = arming;
  waits = arming?.nth ?? 1;
  ports = at;
  armCrashPoints(reached);
}

/** Everything here is done before the next line of the caller runs: a signal to oneself does not come late. */
export function reached(point: PointId): void {
  if (armed?.point !== point) return;
  waits -= 1;
  if (waits > 0) return;
  const { mode, side } = armed;
  armed = undefined;
  writeSync(FAULT_FD, `${point}\n`);
  switch (mode) {
    case "kill":
      process.kill(process.pid, "SIGKILL");
      return;
    case "stop":
      process.kill(process.pid, "SIGSTOP");
      return;
    case "cut":
      cutSockets(ports()[side]);
      return;
    case "throw":
      throw new PlantedError(point);
  }
}

/** The points that lie at the edge of a statement. */
export const pointSeams: Seams = {
  before: (statement) => atSeam("before", statement),
  after: (statement) => atSeam("after", statement),
};

/** Alone, or with those of other callers that came at the same moment. */
function isOf(statements: readonly string[], statement: string): boolean {
  return statements.includes(statement) || statements.includes(statement.replace(/_many$/, ""));
}

function atSeam(when: "before" | "after", statement: string): void {
  for (const { id, where } of POINTS) {
    if (where.kind === "seam" && where.when === when && isOf(where.statements, statement)) reached(id);
  }
}
