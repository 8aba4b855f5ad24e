import { open, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { resolve } from "node:path";
import type { CheckpointSink } from "./sink";

const PRIVATE = 0o600;
/** What is read back of a long file: its end. */
export const MOST_READ_BYTES = 64 * 1_024 * 1_024;

/** A file that only grows: each line is on the disk before a checkpoint counts as delivered. It is of this machine, and so is its name. */
export function createFileSink(path: string): CheckpointSink {
  const file = resolve(path);
  return {
    name: `file:${hostname()}:${file}`,
    async append(lines) {
      const handle = await open(file, "a+", PRIVATE);
      try {
        // Behind a half line, which a process that died left, a new one begins.
        const torn = await endsInLine(handle);
        await handle.appendFile(`${torn ? "\n" : ""}${lines.join("\n")}\n`);
        await handle.sync();
      } finally {
        await handle.close();
      }
    },
    read: () => readLines(file),
    close: () => Promise.resolve(),
  };
}

async function endsInLine(handle: Awaited<ReturnType<typeof open>>): Promise<boolean> {
  const { size } = await handle.stat();
  if (size === 0) return false;
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer.toString() !== "\n";
}

/** @returns the lines of a file of checkpoints, oldest first; none when it is not there */
async function readLines(file: string): Promise<readonly string[]> {
  const size = await stat(file).then(
    (found) => found.size,
    (error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return 0;
      throw error;
    },
  );
  if (size === 0) return [];
  const handle = await open(file, "r");
  try {
    const length = Math.min(size, MOST_READ_BYTES);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    return buffer
      .subarray(0, bytesRead)
      .toString("utf8")
      .split("\n")
      .filter((line) => line !== "");
  } finally {
    await handle.close();
  }
}
