import { getApi } from "@/app/_server/container";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

/** The same handlers as behind cli/serve and cli/api; Next only brings the request. */
async function handle(request: Request): Promise<Response> {
  const api = await getApi();
  return api.fetch(request, {});
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
