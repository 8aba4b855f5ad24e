import { notFound, redirect } from "next/navigation";
import { showPage } from "@/app/_server/show-page";
import { readView } from "@/console/saved-views/list-views";
import { UUID } from "@/domain/uuid";

interface ViewPageProps {
  readonly params: Promise<{ readonly id: string }>;
}

/** The link of a saved view: leads to its list as the view keeps it now. */
export default async function ViewPage({ params }: ViewPageProps) {
  const { id } = await params;
  if (!UUID.test(id)) notFound();
  return showPage(
    { title: "Saved view", what: "The view", address: `/views/${id}` },
    (ctx) => readView(ctx, { id: id.toLowerCase() }),
    ({ href }, { tenantId }) => redirect(`${href}&tenant=${encodeURIComponent(tenantId)}`),
  );
}
