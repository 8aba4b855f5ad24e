/** One insert of a seed: `$1` is the tenant, rows come from the temporary table `seed_rows`. */
export interface SeedStatement {
  /** Where its rows go; counted by it. */
  readonly table: string;
  readonly text: string;
}
