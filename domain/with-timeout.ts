/**
 * Waits for some work no longer than a limit. The work itself is not stopped: it may go on, and what it rejects with later is dropped.
 *
 * @param ms the limit
 * @param onTimeout called when the time is up: its value is the result then, or it throws the error to raise
 * @throws whatever the work rejects with in time, and whatever `onTimeout` throws
 */
export async function withTimeout<T, Late>(work: Promise<T>, ms: number, onTimeout: () => Late): Promise<T | Late> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  }).then(onTimeout);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits until some work has ended, however it ended, but no longer than `ms`. Never rejects. */
export async function settledWithin(work: Promise<unknown>, ms: number): Promise<void> {
  await withTimeout(Promise.allSettled([work]), ms, () => undefined);
}
