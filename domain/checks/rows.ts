export interface LoopRow {
  readonly loop: string;
  readonly instance: string;
  readonly ageMs: number;
  readonly intervalMs: number;
  readonly state: "beating" | "late" | "stopped";
  readonly error?: string | undefined;
}

export interface InvariantRow {
  readonly name: string;
  readonly label: string;
  readonly holds: boolean;
  /** False: it was not run yet, or its last run was stopped; `holds` is false then and `violations` 0. */
  readonly checked: boolean;
  readonly violations: number;
  /** There are more than were counted. */
  readonly capped?: boolean;
  /** Since its last run. */
  readonly ageMs?: number | undefined;
  /** First violating things, newest first, with their page. */
  readonly samples: readonly { readonly id: string; readonly href: string }[];
}
