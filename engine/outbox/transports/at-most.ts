/** @returns when the work has ended, however, and at the latest after so many ms. */
export async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  const ended = work.then(
    () => undefined,
    () => undefined,
  );
  await Promise.race([ended, late]);
  clearTimeout(timer);
}
