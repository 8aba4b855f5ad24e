/**
 * What is mostly there already, such as what a memory of the process holds. Each promise that a request waits for costs it some
 * microseconds, and a request passes by dozens of such places. What goes wrong at once is thrown at once: call what returns this inside an
 * `async` function.
 */
export type Soon<T> = T | Promise<T>;

/** @returns whether it has to be waited for; also what another library made, as `await` has it */
export function isLater<T>(value: Soon<T>): value is Promise<T> {
  if (value instanceof Promise) return true;
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/** Goes on with the value: at once where it is there. @returns what `next` does, or a promise of it */
export function whenThere<T, U>(value: Soon<T>, next: (value: T) => Soon<U>): Soon<U> {
  return isLater(value) ? value.then(next) : next(value);
}
