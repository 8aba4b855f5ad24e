import "server-only";

/** What answers a request of the API, once a route of it was asked for. */
interface Answers {
  fetch(request: Request, env: object): Response | Promise<Response>;
}

// Next bundles what starts a server and what answers its routes apart, each with its own copy of a module.
const holder = globalThis as { onceboardApi?: Answers };

export function shareApi<Api extends Answers>(api: Api): Api {
  holder.onceboardApi = api;
  return api;
}

/** @returns undefined until the first request of the API came, through Next */
export function sharedApi(): Answers | undefined {
  return holder.onceboardApi;
}
