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
  /** First violating things, newest first, with their page. */
  readonly samples: readonly { readonly id: string; readonly href: string }[];
}
