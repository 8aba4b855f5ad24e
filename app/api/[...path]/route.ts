import { getApi, processContainer } from "@/app/_server/container";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

/** The same handlers as behind cli/serve and cli/api; Next only brings the request. */
async function handle(request: Request): Promise<Response> {
  const [api, { config }] = await Promise.all([getApi(), processContainer()]);
  return api.fetch(config.basePath === "" ? request : asItCame(request, config.basePath), {});
}

/** Next has taken the base path out of the address; the handlers do that themselves, as behind any other host. */
function asItCame(request: Request, basePath: string): Request {
  const url = new URL(request.url);
  url.pathname = basePath + url.pathname;
  return new Request(url, request);
}

export {
  handle as GET,
  handle as HEAD,
  handle as POST,
  handle as PUT,
  handle as PATCH,
  handle as DELETE,
  handle as OPTIONS,
};
