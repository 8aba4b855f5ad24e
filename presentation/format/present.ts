/** @returns those that are there: a list names what may be absent as `condition && item` */
export function present<Item extends object>(items: readonly (Item | false | undefined)[]): readonly Item[] {
  return items.filter((item) => item !== false && item !== undefined);
}
