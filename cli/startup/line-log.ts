import { appendFileSync, mkdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";

/** A log file is put aside when it reaches this; one older file is kept. */
const MAX_BYTES = 10 * 1024 * 1024;

/** Keeps the lines of child processes in files, one per process, so that a terminal stays readable. Bounded. */
export function createLineLog(directory: string): { readonly write: (name: string, line: string) => void } {
  mkdirSync(directory, { recursive: true });
  const sizes = new Map<string, number>();
  return {
    write: (name, line) => {
      const path = join(directory, `${name}.log`);
      let size = (sizes.get(name) ?? sizeOf(path)) + line.length + 1;
      if (size > MAX_BYTES) {
        renameSync(path, `${path}.1`);
        size = line.length + 1;
      }
      appendFileSync(path, `${line}\n`, { mode: 0o600 });
      sizes.set(name, size);
    },
  };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
