/**
 * Moments between two steps at which a process may die: the C, P, R, O and I points of docs/CRASH.md that lie in our own code.
 * Points at the edge of a statement or on the wire are the crash suite's own and need no line here.
 */
export type CrashPoint =
  `C${1 | 3 | 4}` | `P${1 | 2 | 5 | 7}` | `R${1 | 2 | 4 | 5 | 6}` | `O${1 | 2 | 3 | 6}` | `I${1 | 2 | 4 | 5 | 6}`;

let armed: ((point: CrashPoint) => void) | undefined;

/** Says that a point is reached. Nothing happens unless the crash suite armed this process. */
export function crashPoint(point: CrashPoint): void {
  armed?.(point);
}

/** Called by the crash suite in its own child process, never by the product. @param hook ends or stops the process, or throws */
export function armCrashPoints(hook: ((point: CrashPoint) => void) | undefined): void {
  armed = hook;
}
