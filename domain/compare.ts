export interface FieldComparison {
  readonly field: string;
  /** Undefined: absent, or hidden from this role. */
  readonly first?: string | undefined;
  readonly second?: string | undefined;
  /** Of a difference in meaning: "+€360.00, ten times the first". Of a difference in form: the rule, "default applied". */
  readonly said?: string | undefined;
}
