import { notFound, redirect } from "next/navigation";
import { consolePage, type SearchProps } from "@/app/_server/show-page";
import { readView } from "@/console/saved-views/list-views";
import { UUID } from "@/domain/uuid";

interface ViewPageProps extends SearchProps {
  readonly params: Promise<{ readonly id: string }>;
}

/** The link of a saved view: leads to its list as the view keeps it now. */
export default async function ViewPage({ params, searchParams }: ViewPageProps) {
  const { id } = await params;
  if (!UUID.test(id)) notFound();
  return consolePage({
    title: "Saved view",
    what: "The view",
    path: `/views/${id}`,
    read: (ctx) => readView(ctx, { id: id.toLowerCase() }),
    show: ({ href }, { request }) => redirect(`${href}&tenant=${encodeURIComponent(request.ctx.tenantId)}`),
  })({ searchParams });
}
