const MOST_PARTS = 20;
/** Next runs its own copy of the modules in the same process. */
const holder = globalThis as { onceboardDown?: readonly string[] };

/** What the supervisor of this process says of the others (`cli/supervise.ts`). */
export interface DownMessage {
  readonly down: readonly string[];
}

/** Names of processes beside this one that ended and are being started again; empty where nobody supervises. */
export function downParts(): readonly string[] {
  return holder.onceboardDown ?? [];
}

/** Listens to the supervisor, where this process has one. @param channel to it */
export function hearDownParts(channel: NodeJS.EventEmitter = process): void {
  channel.on("message", (message: unknown) => {
    if (isDownMessage(message)) holder.onceboardDown = message.down.slice(0, MOST_PARTS);
  });
}

function isDownMessage(message: unknown): message is DownMessage {
  return (
    typeof message === "object" &&
    message !== null &&
    "down" in message &&
    Array.isArray(message.down) &&
    message.down.every((name) => typeof name === "string")
  );
}
