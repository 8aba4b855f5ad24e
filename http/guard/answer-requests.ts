import type { IncomingMessage, ServerResponse } from "node:http";
import { pathInside } from "@/domain/access/base-path";
import { readableUrl } from "@/domain/access/path-name";
import { toAppError } from "@/domain/errors";
import { refuseOn } from "./plain-refusal";
import { answeredByItsLine } from "./request-line";
import { createShare, restOf, SHARES, type Release, type Share } from "./share";

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

export interface Hosted {
  readonly basePath: string;
  /** Answers `/api/*` below the base path, and what is outside of it. */
  readonly api: Handler;
  /** Answers the rest; without them the API does, and says that nothing is there. */
  readonly pages?: Handler;
}

/** A caller that sends the next request within this time still counts as one that waits. */
const BETWEEN_CALLS_MS = 100;

/** @returns what answers the requests of a server: which of the two does is decided before either sees the request */
export function answerRequests({ basePath, api, pages }: Hosted): Handler {
  let underWay = 0;
  let lastEnd = -Infinity;
  // Between two calls of one caller nobody waits for a moment.
  const awaited = (): boolean => underWay > 0 || performance.now() - lastEnd < BETWEEN_CALLS_MS;
  const share = createShare("The pages", SHARES.pages, (heldMs) => restOf(heldMs, awaited()));
  const isPage = (url: string): boolean => pages !== undefined && isPagePath(basePath, url);
  return (request, response) => {
    if (answeredByItsLine(request, response, isPage)) return;
    const { url = "/" } = request;
    if (pages === undefined || !isPage(url)) {
      underWay += 1;
      response.once("close", () => {
        underWay -= 1;
        lastEnd = performance.now();
      });
      return void api(request, response);
    }
    request.url = readableUrl(url, basePath);
    // What was built lies ready; only what is rendered has a share.
    if (isFile(basePath, url)) pages(request, response);
    else void inTurn(share, request, response, pages);
  };
}

/** A page that nobody waits for any more is not rendered when its turn comes. */
async function inTurn(share: Share, request: IncomingMessage, response: ServerResponse, pages: Handler): Promise<void> {
  let release: Release;
  try {
    release = await share.take();
  } catch (error) {
    refuseOn(response, toAppError(error));
    return;
  }
  // Handed to the machine, or broken off: whoever reads it slowly takes nothing more.
  response.once("finish", release);
  response.once("close", release);
  if (response.destroyed || request.socket.destroyed) release();
  else pages(request, response);
}

function isFile(basePath: string, url: string): boolean {
  return (
    url.startsWith(`${basePath}/_next/`) || /^\/[^/?]+\.(?:ico|svg|png|txt)(?:\?|$)/.test(url.slice(basePath.length))
  );
}

function isPagePath(basePath: string, url: string): boolean {
  const path = pathInside(basePath, url.split("?", 1)[0] ?? "/");
  return path !== undefined && path !== "/api" && !path.startsWith("/api/");
}
