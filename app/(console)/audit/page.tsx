import type { Metadata } from "next";
import { listFacts } from "@/app/_server/list-facts";
import { opened } from "@/app/_server/opened";
import { showPage, whyNotHere, type SearchProps } from "@/app/_server/show-page";
import { AuditView } from "@/components/audit/audit-view";
import { FollowPage } from "@/components/shell/live-provider";
import { listAudit } from "@/console/read/access/list-audit";
import { readAuditEntry } from "@/console/read/access/read-audit-entry";
import type { AuditFilters } from "@/domain/lists/filters";
import { auditSearch, parseAuditFilters } from "@/presentation/filters/parsers";
import { filterSearch, pageParam } from "@/presentation/list/page-address";

export const metadata: Metadata = { title: "Audit" };

/** The live status counts newer rows of the tenant; the access log is of none. */
function livePage(filters: AuditFilters): string {
  return filters.chain === "access" ? "access-log" : `audit${auditSearch(filters)}`;
}

export default async function AuditPage({ searchParams }: SearchProps) {
  const address = { path: "/audit", search: await searchParams };
  const { filters, cursor, problems } = parseAuditFilters(filterSearch(address));
  return showPage(
    { title: "Audit", what: "The audit", address },
    (ctx) =>
      Promise.all([
        listAudit(ctx, { filters, cursor }),
        opened(ctx, pageParam(address, "open"), (id) => readAuditEntry(ctx, { id, chain: filters.chain })),
        listFacts(ctx, "audit"),
      ]),
    ([view, open, facts], ctx) => {
      const now = view.list.kind === "page" ? view.list.at : new Date().toISOString();
      return (
        <FollowPage page={livePage(filters)} since={now} refresh="ask">
          <AuditView
            view={view}
            filters={filters}
            problems={problems}
            address={address}
            now={now}
            facts={facts}
            opened={open}
            verify={pageParam(address, "verify") !== undefined}
            verifyNot={whyNotHere(ctx, "audit.verify")}
            accessNot={whyNotHere(ctx, "access_log.read")}
          />
        </FollowPage>
      );
    },
  );
}
