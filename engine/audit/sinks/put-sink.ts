import { createHash } from "node:crypto";
import { SINK_TIMEOUT_MS, type CheckpointSink } from "./sink";

/** An object store or a log collector that takes `PUT BASE/DIGEST.json`: one object a checkpoint, the same again is the same object. */
export function createPutSink(base: string, token: string | undefined): CheckpointSink {
  const url = new URL(base);
  return {
    name: `put:${url.origin}${url.pathname}`,
    async append(lines) {
      for (const line of lines) await put(objectUrl(url, line), line, token);
    },
    close: () => Promise.resolve(),
  };
}

function objectUrl(base: URL, line: string): URL {
  const { chain, sequence } = JSON.parse(line) as { chain: string; sequence: string };
  const digest = createHash("sha256").update(line).digest("hex").slice(0, 16);
  const target = new URL(base);
  const path = [encodeURIComponent(chain), `${sequence.padStart(12, "0")}-${digest}.json`].join("/");
  target.pathname = `${base.pathname.replace(/\/+$/, "")}/${path}`;
  return target;
}

async function put(url: URL, line: string, token: string | undefined): Promise<void> {
  const answer = await fetch(url, {
    method: "PUT",
    body: `${line}\n`,
    redirect: "error",
    headers: {
      "content-type": "application/json",
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    signal: AbortSignal.timeout(SINK_TIMEOUT_MS),
  });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`answered ${String(answer.status)}`);
}
