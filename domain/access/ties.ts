/** Days for which whoever had another's account in hand counts as the same person, when the deployment says nothing else. */
export const SAME_PERSON_DAYS = 30;

/** What one operator did for another by which they could have acted as them. */
export const TIE_REASONS = ["invited", "link", "second_factor", "role"] as const;
export type TieReason = (typeof TIE_REASONS)[number];

/** That `tiedTo` did it for `operatorId`; both count as one person for some days. Ids of operators. */
export interface Tie {
  readonly operatorId: string;
  readonly tiedTo: string;
  readonly why: TieReason;
  /** RFC 3339. */
  readonly at: string;
}

/**
 * How somebody is tied to one of several others: the shortest chain, whatever the directions.
 * @returns its ties in order, from `from` on; undefined when there is none
 */
export function tieChain<T extends Tie>(
  ties: readonly T[],
  from: string,
  to: ReadonlySet<string>,
): readonly T[] | undefined {
  const reached = new Map<string, readonly T[]>([[from, []]]);
  for (const [who, chain] of reached) {
    if (to.has(who)) return chain;
    for (const tie of ties) {
      const next = tie.operatorId === who ? tie.tiedTo : tie.tiedTo === who ? tie.operatorId : undefined;
      // A Map goes on with what is added meanwhile, so the nearest come first.
      if (next !== undefined && !reached.has(next)) reached.set(next, [...chain, tie]);
    }
  }
  return undefined;
}
