import type { Metadata } from "next";
import { consoleContext } from "@/app/_server/console";
import { listFacts } from "@/app/_server/list-facts";
import { opened } from "@/app/_server/opened";
import { planKinds } from "@/app/_server/plan-kinds";
import { sharedRead, showRead, whyNotHere, type SearchProps } from "@/app/_server/show-page";
import { AttentionView } from "@/components/attention/attention-view";
import { FollowPage } from "@/components/shell/live-provider";
import { listAttention } from "@/console/read/operations/list-attention";
import { readOperation } from "@/console/read/operations/read-operation";
import type { SearchInput } from "@/presentation/filters/search";
import { pageParam, type PageAddress } from "@/presentation/list/page-address";
import type { NavCounts } from "@/presentation/metrics/live-status";
import type { AttentionView as AttentionList } from "@/presentation/views/operations";

const readQueue = sharedRead((ctx, cursor: string | undefined) => listAttention(ctx, { cursor }));

function cursorOf({ cursor }: SearchInput): string | undefined {
  return typeof cursor === "string" ? cursor : undefined;
}

function countsOf({ unknown, stale }: AttentionList): NavCounts {
  return { attention: unknown + stale, unknown, stale };
}

export async function generateMetadata({ searchParams }: SearchProps): Promise<Metadata> {
  const read = await readQueue(cursorOf(await searchParams));
  return { title: read.ok ? read.value.verdict.text : "Unknown and stale" };
}

export default async function AttentionPage({ searchParams }: SearchProps) {
  const ctx = await consoleContext();
  const address: PageAddress = { path: "/attention", search: await searchParams };
  const [read, open, facts] = await Promise.all([
    readQueue(cursorOf(address.search)),
    opened(ctx, pageParam(address, "open"), (operationId) => readOperation(ctx, { operationId })),
    listFacts(ctx, "attention"),
  ]);
  return showRead({ title: "Unknown and stale", what: "The queue", address }, read, (view) => (
    <>
      {view.list.kind === "page" && (
        <FollowPage page="attention" since={view.list.at} refresh="ask" counts={countsOf(view)} />
      )}
      <AttentionView
        view={view}
        address={address}
        facts={facts}
        kinds={planKinds(ctx, ["reconcile_operations", "release_operations"])}
        whyNotAssign={whyNotHere(ctx, "operations.assign")}
        opened={open}
        whyNotReconcile={whyNotHere(ctx, "operations.reconcile")}
      />
    </>
  ));
}
