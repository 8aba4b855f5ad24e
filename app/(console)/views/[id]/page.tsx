import { notFound, redirect } from "next/navigation";
import { attempt } from "@/app/_server/attempt";
import { consoleContext } from "@/app/_server/console";
import { PageProblem } from "@/components/feedback/page-problem";
import { UUID } from "@/domain/uuid";
import { readView } from "@/console/saved-views/list-views";

interface ViewPageProps {
  readonly params: Promise<{ readonly id: string }>;
}

/** The link of a saved view: leads to its list as the view keeps it now. */
export default async function ViewPage({ params }: ViewPageProps) {
  const [ctx, { id }] = await Promise.all([consoleContext(), params]);
  if (!UUID.test(id)) notFound();
  const view = await attempt(ctx, () => readView(ctx, { id: id.toLowerCase() }));
  if (!view.ok) return <PageProblem title="Saved view" what="The view" problem={view} retryHref={`/views/${id}`} />;
  if (view.value === undefined) notFound();
  redirect(`${view.value.href}&tenant=${encodeURIComponent(ctx.tenantId)}`);
}
