import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as turn } from "node:timers/promises";

export interface ReceivedWebhook {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly json: Readonly<Record<string, unknown>>;
}

/** A merchant's server on this machine. */
export interface WebhookReceiver {
  readonly url: string;
  readonly got: readonly ReceivedWebhook[];
  /** What it says from now on; `undefined` is no answer at all. */
  answer(
    how: (
      webhook: ReceivedWebhook,
    ) => { readonly status: number; readonly body?: string; readonly location?: string } | undefined,
  ): void;
  close(): Promise<void>;
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const got: ReceivedWebhook[] = [];
  let how: Parameters<WebhookReceiver["answer"]>[0] = () => ({ status: 204 });
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      const webhook: ReceivedWebhook = {
        path: request.url ?? "",
        headers: request.headers,
        body,
        json: JSON.parse(body) as Record<string, unknown>,
      };
      got.push(webhook);
      const result = how(webhook);
      if (result === undefined) return;
      response.writeHead(result.status, result.location === undefined ? {} : { location: result.location });
      response.end(result.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    got,
    answer: (next) => void (how = next),
    async close() {
      server.closeAllConnections();
      server.close();
      await turn();
    },
  };
}
