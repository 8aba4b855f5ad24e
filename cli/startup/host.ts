import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { pathInside } from "@/domain/access/base-path";
import { readableUrl } from "@/domain/access/path-name";
import { answeredByItsLine } from "@/http/guard/request-line";

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

export interface Hosted {
  readonly basePath: string;
  /** Answers `/api/*` below the base path, and what is outside of it. */
  readonly api: Handler;
  /** Answers the rest; without them the API does, and says that nothing is there. */
  readonly pages?: Handler;
}

/** A server that does not listen yet (listen.ts). Which of the two answers is decided before either sees the request. */
export function hostRequests({ basePath, api, pages }: Hosted): Server {
  const isPage = (url: string): boolean => pages !== undefined && isPagePath(basePath, url);
  return createServer((request, response) => {
    if (answeredByItsLine(request, response, isPage)) return;
    const { url = "/" } = request;
    if (pages === undefined || !isPage(url)) return void api(request, response);
    request.url = readableUrl(url, basePath);
    pages(request, response);
  });
}

/**
 * For Next, which listens for `upgrade` on the server that it is told of and leaves such connections open. It is told of one that
 * never has any.
 */
export function noUpgrades(): Server {
  return createServer();
}

function isPagePath(basePath: string, url: string): boolean {
  const path = pathInside(basePath, url.split("?", 1)[0] ?? "/");
  return path !== undefined && path !== "/api" && !path.startsWith("/api/");
}
