/**
 * What is mostly there already, such as what a memory of the process holds. Each promise that a request waits for costs it some
 * microseconds, and a request passes by dozens of such places.
 */
export type Soon<T> = T | Promise<T>;

/** Goes on with the value: at once where it is there. @returns what `next` does, or a promise of it */
export function whenThere<T, U>(value: Soon<T>, next: (value: T) => Soon<U>): Soon<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}
