import type { CheckpointSink } from "./sink";

/** Standard output, for a collector that keeps what processes print: it cannot say whether anybody kept it. */
export function createLogSink(
  write: (text: string) => void = (text) => void process.stdout.write(text),
): CheckpointSink {
  return {
    name: "log",
    append: (lines) => {
      for (const line of lines) write(`${line}\n`);
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  };
}
