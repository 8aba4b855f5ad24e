import { OPERATION_POINTS } from "./operation-points";
import { MESSAGE_POINTS, type MessagePoint } from "./messages/points";
import type { Point } from "./point";

/** All of them, in the order of docs/CRASH.md. */
export const POINTS: readonly (Point | MessagePoint)[] = [...OPERATION_POINTS, ...MESSAGE_POINTS];

export function pointOf(id: string): Point | MessagePoint {
  const point = POINTS.find((each) => each.id === id);
  if (point === undefined)
    throw new Error(`There is no crash point ${id}: ${POINTS.map((each) => each.id).join(", ")}.`);
  return point;
}
