import type { NextRequest } from "next/server";
import { getApi } from "@/app/_server/container";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

/** The same handlers as behind cli/serve and cli/api; Next only brings the request. */
async function handle(request: NextRequest): Promise<Response> {
  const api = await getApi();
  const { basePath, href } = request.nextUrl;
  // Next takes the base path out of the address; the handlers do that themselves, as behind any other host.
  return api.fetch(basePath === "" ? request : new Request(href, request), {});
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
