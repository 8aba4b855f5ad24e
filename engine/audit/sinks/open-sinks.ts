import { createHash } from "node:crypto";
import { openCheckpointStore } from "@/db/audit/checkpoint-store";
import { createFileSink } from "./file-sink";
import { createLogSink } from "./log-sink";
import { createPutSink } from "./put-sink";
import type { CheckpointSink } from "./sink";

/** @param addresses of AUDIT_SINKS: `file:PATH`, `postgres://…`, `https://…` or `log` @param token that a PUT carries */
export function openSinks(addresses: readonly string[], token?: string): readonly CheckpointSink[] {
  return addresses.map((address) => {
    if (address === "log") return createLogSink();
    if (address.startsWith("file:")) return createFileSink(address.slice("file:".length));
    if (/^postgres(ql)?:/.test(address)) return createPostgresSink(address);
    return createPutSink(address, token);
  });
}

function createPostgresSink(address: string): CheckpointSink {
  const store = openCheckpointStore(address);
  const url = new URL(address);
  return {
    name: `postgres:${url.host}${url.pathname}`,
    append: (lines) =>
      store.append(
        lines.map((line) => {
          const { chain, sequence } = JSON.parse(line) as { chain: string; sequence: string };
          return { digest: createHash("sha256").update(line).digest("hex"), chain, sequence, line };
        }),
      ),
    read: () => store.newest(),
    close: () => store.close(),
  };
}
