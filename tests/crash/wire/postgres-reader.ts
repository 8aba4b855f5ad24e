import type { WireReader } from "@/demo/faults/tap-proxy";

const QUERY = "Q".charCodeAt(0);
const BIND = "B".charCodeAt(0);
const LENGTH_BYTES = 4;

/** Labels are the names of prepared statements as they are bound, and the text of simple queries such as `commit`. */
export const postgresReader: WireReader = () => {
  let rest: Buffer = Buffer.alloc(0);
  let started = false;
  return {
    sent(chunk) {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const labels: string[] = [];
      for (;;) {
        // The first message of a connection has no type byte.
        const head = started ? 1 : 0;
        if (rest.length < head + LENGTH_BYTES) return labels;
        const size = head + rest.readInt32BE(head);
        if (rest.length < size) return labels;
        const label = started ? labelOf(rest.subarray(0, size)) : undefined;
        if (label !== undefined) labels.push(label);
        started = true;
        rest = rest.subarray(size);
      }
    },
    answered: () => undefined,
  };
};

function labelOf(message: Buffer): string | undefined {
  const start = 1 + LENGTH_BYTES;
  if (message[0] === QUERY) return text(message, start);
  if (message[0] !== BIND) return undefined;
  const portal = text(message, start);
  return text(message, start + Buffer.byteLength(portal) + 1);
}

function text(message: Buffer, start: number): string {
  return message.toString("utf8", start, message.indexOf(0, start));
}
