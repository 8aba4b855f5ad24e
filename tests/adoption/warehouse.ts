import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A provider of somebody else: it reserves goods under the caller's key, and can be asked by that key. */
export async function startWarehouse() {
  const reserved = new Map<string, string>();
  const held: ServerResponse[] = [];
  let holding = false;
  const server = createServer((request, response) => {
    const key = request.url?.split("/").at(-1) ?? "";
    request.resume().on("end", () => {
      // Every POST reserves: it would do so a second time if it were sent twice.
      if (request.method === "POST") reserved.set(`${key} ${String(reserved.size)}`, key);
      const found = [...reserved.values()].includes(key);
      if (request.method === "POST" && holding) return void held.push(response);
      response.writeHead(found ? 200 : 404, { "content-type": "application/json" });
      response.end(JSON.stringify({ id: `reservation-${key}` }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    /** How often a key was reserved. */
    reservations: (key: string): number => [...reserved.values()].filter((each) => each === key).length,
    total: (): number => reserved.size,
    /** Takes what is sent and does not answer it. */
    hold(): void {
      holding = true;
    },
    release(): void {
      holding = false;
      for (const response of held.splice(0)) response.destroy();
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
