import { createServer, request as httpRequest, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export interface SharedHost {
  readonly origin: string;
  /** Paths that somebody asked for and that are not below the base path. */
  readonly strayed: string[];
  close(): Promise<void>;
}

/** A host that gives one path to us, as it came, and everything else to another application. @param target port of ours */
export async function startSharedHost(basePath: string, target: number): Promise<SharedHost> {
  const strayed: string[] = [];
  const server = createServer((request, response) => {
    const path = (request.url ?? "/").split("?", 1)[0] ?? "/";
    if (path !== basePath && !path.startsWith(`${basePath}/`)) {
      strayed.push(`${request.method ?? ""} ${path}`);
      response.writeHead(404, { "content-type": "text/plain" }).end("another application");
      return;
    }
    const { method, url, headers } = request;
    const passed = httpRequest({ host: "localhost", port: target, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on("error", () => response.destroy());
    request.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  return {
    origin: `http://localhost:${String((server.address() as AddressInfo).port)}`,
    strayed,
    close: () => closed(server),
  };
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
