/**
 * Works through `items` in their order, at most `limit` at once.
 *
 * @returns how each ended, in the order of the items: one that throws stops no other
 */
export async function withConcurrency<Item>(
  limit: number,
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<PromiseSettledResult<void>[]> {
  const ended: PromiseSettledResult<void>[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) {
      [ended[at]] = await Promise.allSettled<[Promise<void>]>([work(items[at] as Item)]);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return ended;
}
