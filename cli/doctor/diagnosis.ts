/**
 * What `onceboard doctor` says in one line. `wrong` is something that a process would stop for, or work badly by; a `note` may be
 * as it should; `unknown` is what nobody can see from here.
 */
export interface Diagnosis {
  readonly state: "ok" | "note" | "wrong" | "unknown";
  readonly text: string;
}

export const ok = (text: string): Diagnosis => ({ state: "ok", text });
export const note = (text: string): Diagnosis => ({ state: "note", text });
export const wrong = (text: string): Diagnosis => ({ state: "wrong", text });
export const unknown = (text: string): Diagnosis => ({ state: "unknown", text });
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
