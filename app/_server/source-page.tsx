import "server-only";

import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { SourceFlightView } from "@/components/sources/source-flight-view";
import { SourceListView } from "@/components/sources/source-list-view";
import { SourceProblem } from "@/components/sources/source-problem";
import { SourceRetentionView, SourceView } from "@/components/sources/source-view";
import type { SourceListFacts } from "@/components/sources/source-tools";
import { listViews } from "@/console/saved-views/list-views";
import { EXPORTED_ROWS } from "@/console/sources/limits";
import { listSource } from "@/console/sources/list-source";
import { readSourceInFlight } from "@/console/sources/read-in-flight";
import { readSource } from "@/console/sources/read-source";
import { ATTACHMENT_NAME } from "@/domain/attachments/name";
import type { EngineContext } from "@/engine/context";
import { sourceViewPage } from "@/presentation/list/source-view-page";
import { watchedPage } from "@/presentation/sources/watched";
import { parseSourceFilters, parseSourceRange } from "@/presentation/filters/sources";
import { pageParam } from "@/presentation/list/page-address";
import { SOURCE_PAGES, sourceHref } from "@/presentation/sources/source-words";
import type { SourceViewName } from "@/presentation/views/sources";
import { attempt } from "./attempt";
import { consolePage, whyNotHere, type SearchProps } from "./show-page";

interface SourcePageProps extends SearchProps {
  readonly params: Promise<{ readonly name: string }>;
}

/** @returns a page of an attachment and its title; a name that none can have is nowhere */
function pageOf(label: string, render: (name: string, props: SourcePageProps) => Promise<ReactNode>) {
  return {
    metadata: async ({ params }: SourcePageProps) => ({ title: `${label} of ${(await params).name}` }),
    Page: async (props: SourcePageProps): Promise<ReactNode> => {
      const { name } = await props.params;
      return ATTACHMENT_NAME.test(name) ? render(name, props) : notFound();
    },
  };
}

/** @returns the page of a list of an attachment */
export function sourceListPage(view: SourceViewName) {
  const { path, label } = SOURCE_PAGES[view];
  return pageOf(label, (name, { searchParams }) =>
    consolePage({
      title: `${label} of ${name}`,
      what: "The list",
      path: sourceHref(name, path),
      parse: parseSourceFilters(view),
      problem: () => SourceProblem,
      read: async (ctx, { filters, cursor, address }) => {
        const ask = { view, cursor, state: filters.state, open: pageParam(address, "open") };
        const list = await listSource(ctx, { name }, ask);
        return list && { list, facts: await sourceFacts(ctx, name, view) };
      },
      follow: ({ list }) => {
        const page = watchedPage(list);
        return page === undefined ? undefined : { page, since: list.at, refresh: "ask" };
      },
      show: ({ list, facts }, { address, problems }) => (
        <SourceListView view={list} facts={facts} address={address} problems={problems} />
      ),
    })({ searchParams }),
  );
}

/** Saved views of a list, and what this person may do with them. Views that do not load leave their place empty. */
async function sourceFacts(ctx: EngineContext, name: string, view: SourceViewName): Promise<SourceListFacts> {
  const views = await attempt(ctx, () => listViews(ctx, { page: sourceViewPage(name, view) }));
  return {
    tenant: ctx.tenantId,
    views: views.ok ? views.value.rows : [],
    exportedRows: EXPORTED_ROWS,
    whyNotSave: whyNotHere(ctx, "views.write"),
  };
}

/** @param page of what is read of an attachment itself */
export function sourceOwnPage(page: "overview" | "retention") {
  const retention = page === "retention";
  return pageOf(retention ? "Retention" : "Overview", (name, { searchParams }) =>
    consolePage({
      title: name,
      what: "The attached database",
      path: sourceHref(name, retention ? "retention" : undefined),
      parse: parseSourceRange,
      problem: () => SourceProblem,
      read: (ctx, { filters }) => readSource(ctx, { name }, filters.range),
      show: (view, { address }) =>
        retention ? (
          <SourceRetentionView view={view} address={address} />
        ) : (
          <SourceView view={view} address={address} />
        ),
    })({ searchParams }),
  );
}

/** @returns the page of what an attachment works on now */
export function sourceFlightPage() {
  return pageOf("In flight", (name, { searchParams }) =>
    consolePage({
      title: `In flight of ${name}`,
      what: "The attached database",
      path: sourceHref(name, "in-flight"),
      problem: () => SourceProblem,
      read: (ctx) => readSourceInFlight(ctx, { name }),
      show: (view, { address }) => <SourceFlightView view={view} address={address} />,
    })({ searchParams }),
  );
}
