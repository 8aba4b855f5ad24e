import type { Metadata } from "next";
import { attempt } from "@/app/_server/attempt";
import { consoleContext } from "@/app/_server/console";
import { listFacts } from "@/app/_server/list-facts";
import { opened } from "@/app/_server/opened";
import { AuditView } from "@/components/audit/audit-view";
import { PageProblem } from "@/components/feedback/page-problem";
import { FollowPage } from "@/components/shell/live-provider";
import { auditSearch, parseAuditFilters } from "@/presentation/filters/audit";
import type { SearchInput } from "@/presentation/filters/search";
import { whyNot } from "@/domain/access/permission";
import { filterSearch, hrefWith, pageParam } from "@/presentation/list/page-address";
import { listAudit } from "@/console/read/access/list-audit";
import { readAuditEntry } from "@/console/read/access/read-audit-entry";
import { roleOf } from "@/engine/actions/require";
import type { AuditFilters } from "@/domain/lists/filters";

export const metadata: Metadata = { title: "Audit" };

/** The live status counts newer rows of the tenant; the access log is of none. */
function livePage(filters: AuditFilters): string {
  return filters.chain === "access" ? "access-log" : `audit${auditSearch(filters)}`;
}

export default async function AuditPage({ searchParams }: { readonly searchParams: Promise<SearchInput> }) {
  const ctx = await consoleContext();
  const address = { path: "/audit", search: await searchParams };
  const { filters, cursor, problems } = parseAuditFilters(filterSearch(address));
  const [list, open, facts] = await Promise.all([
    attempt(ctx, () => listAudit(ctx, { filters, cursor })),
    opened(ctx, pageParam(address, "open"), (id) => readAuditEntry(ctx, { id, chain: filters.chain })),
    listFacts(ctx, "audit"),
  ]);
  if (!list.ok) return <PageProblem title="Audit" what="The audit" problem={list} retryHref={hrefWith(address, {})} />;
  const now = list.value.list.kind === "page" ? list.value.list.at : new Date().toISOString();
  return (
    <>
      <FollowPage page={livePage(filters)} since={now} refresh="ask" />
      <AuditView
        view={list.value}
        filters={filters}
        problems={problems}
        address={address}
        now={now}
        facts={facts}
        opened={open}
        verify={pageParam(address, "verify") !== undefined}
        verifyNot={whyNot(roleOf(ctx.actor), "audit.verify")}
        accessNot={whyNot(roleOf(ctx.actor), "access_log.read")}
      />
    </>
  );
}
