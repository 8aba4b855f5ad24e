/** One row of the client retry log, with the columns of the playbook (S3.9). */
export interface AttemptRecord {
  /** 1 for the first. */
  readonly attempt: number;
  /** Waited before this attempt, ms. */
  readonly delayMs: number;
  /** Class of what came back: `timeout`, `network`, `200`, `4xx`, `429`, `5xx`. */
  readonly status: AttemptStatus;
  /** HTTP status; absent when no answer came. */
  readonly code?: number;
  readonly notes: string;
}
export type AttemptStatus = "timeout" | "network" | "200" | "4xx" | "429" | "5xx";

export function classOf(httpStatus: number): AttemptStatus {
  if (httpStatus >= 500) return "5xx";
  if (httpStatus === 429) return "429";
  return httpStatus >= 400 ? "4xx" : "200";
}

/** @returns CSV with exactly the playbook's columns. */
export function retryLogCsv(attempts: readonly AttemptRecord[]): string {
  const rows = attempts.map(({ attempt, delayMs, status, code, notes }) =>
    [attempt, delayMs, status, code ?? "", quote(notes)].join(","),
  );
  return ["attempt,delay_ms,status,code,notes", ...rows, ""].join("\n");
}

function quote(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
