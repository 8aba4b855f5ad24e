/** One row of the client retry log. Its columns are published and stay as they are. */
export interface AttemptRecord {
  /** 1 for the first. */
  readonly attempt: number;
  /** Waited before this attempt, ms. */
  readonly delayMs: number;
  /** Class of what came back. */
  readonly status: AttemptStatus;
  /** HTTP status; absent when no answer came. */
  readonly code?: number;
  readonly notes: string;
  /** `Request-Id` of the answer, for a question to the people who run the API. */
  readonly requestId?: string;
}
export type AttemptStatus = "timeout" | "network" | "200" | "3xx" | "4xx" | "429" | "5xx";

export function classOf(httpStatus: number): AttemptStatus {
  if (httpStatus >= 500) return "5xx";
  if (httpStatus === 429) return "429";
  if (httpStatus >= 400) return "4xx";
  return httpStatus >= 200 && httpStatus < 300 ? "200" : "3xx";
}

/** @returns CSV with the published columns; no cell of it is a formula in a spreadsheet. */
export function retryLogCsv(attempts: readonly AttemptRecord[]): string {
  const rows = attempts.map(({ attempt, delayMs, status, code, notes }) =>
    [attempt, delayMs, status, code ?? "", quote(notes)].join(","),
  );
  return ["attempt,delay_ms,status,code,notes", ...rows, ""].join("\n");
}

/** Notes may hold a server's error code, so what they begin with is not ours. */
function quote(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
