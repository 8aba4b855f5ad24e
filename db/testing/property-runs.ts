import fc from "fast-check";

/** How many times the runs of each property: 1 where tests run at every change, more in a run that looks for what is rare. */
const TIMES = Math.max(1, Number(process.env["PROPERTY_TIMES"] ?? "1"));

/**
 * Holds a property over PostgreSQL for generated cases. A failure prints its seed and the case; PROPERTY_SEED runs that seed again.
 *
 * @param of how many cases at every change; ms after which a busy machine tries no more of them; cases that are always tried
 * @throws the error of the first case that does not hold
 */
export async function holdsFor<Case>(
  cases: fc.Arbitrary<Case>,
  { runs, budgetMs = 8_000, always = [] }: PropertySize<Case>,
  holds: (each: Case) => Promise<void>,
): Promise<void> {
  const seed = process.env["PROPERTY_SEED"];
  const until = performance.now() + budgetMs * TIMES;
  const property = fc.asyncProperty(cases, async (each) => {
    if (performance.now() < until) await holds(each);
  });
  await fc.assert(property, {
    numRuns: runs * TIMES,
    endOnFailure: true,
    examples: always.map((each) => [each]),
    ...(seed !== undefined && { seed: Number(seed) }),
  });
}

interface PropertySize<Case> {
  readonly runs: number;
  readonly budgetMs?: number;
  readonly always?: readonly Case[];
}

/** Limit of a test that runs one property, ms. */
export const propertyTimeout = (budgetMs = 8_000): number => budgetMs * TIMES + 30_000;
