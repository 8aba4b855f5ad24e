import type { Metadata } from "next";
import { listFacts } from "@/app/_server/list-facts";
import { opened } from "@/app/_server/opened";
import { consolePage, whyNotHere } from "@/app/_server/show-page";
import { AuditView } from "@/components/audit/audit-view";
import { foldedAudit } from "@/console/read/access/list-audit";
import { readAuditEntry } from "@/console/read/access/read-audit-entry";
import { auditSearch, parseAuditFilters } from "@/presentation/filters/parsers";
import { pageParam } from "@/presentation/list/page-address";

export const metadata: Metadata = { title: "Audit" };

export default consolePage({
  title: "Audit",
  what: "The audit",
  path: "/audit",
  parse: parseAuditFilters,
  read: async (ctx, { filters, cursor, address }) => {
    const [view, open, facts] = await Promise.all([
      foldedAudit(ctx, { filters, cursor }),
      opened(ctx, pageParam(address, "open"), (id) => readAuditEntry(ctx, { id, chain: filters.chain })),
      listFacts(ctx, "audit"),
    ]);
    return { view, opened: open, facts, now: view.list.kind === "page" ? view.list.at : new Date().toISOString() };
  },
  // The live status counts newer rows of the tenant; the access log is of none.
  follow: ({ now }, { filters }) => ({
    page: filters.chain === "access" ? "access-log" : `audit${auditSearch(filters)}`,
    since: now,
    refresh: "ask",
  }),
  show: (read, { filters, problems, address, request: { ctx } }) => (
    <AuditView
      {...read}
      {...{ filters, problems, address }}
      verify={pageParam(address, "verify") !== undefined}
      verifyNot={whyNotHere(ctx, "audit.verify")}
      accessNot={whyNotHere(ctx, "access_log.read")}
    />
  ),
});
