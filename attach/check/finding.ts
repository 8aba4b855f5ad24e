/** One thing that was looked at. */
export interface AttachFinding {
  readonly state: "ok" | "note" | "wrong";
  readonly text: string;
  /** The statement that mends it. */
  readonly mend?: string;
}
