import { AUDIT_CHAINS } from "@/domain/access/audit-chain";
import { buildSearch, readSearch, readWindow, windowSearch, type Parsed, type SearchInput } from "./search";
import type { Range } from "@/domain/lists/window";
import type { AuditFilters } from "@/domain/lists/filters";

const AUDIT_RANGE: Range = "30d";

export function parseAuditFilters(search: SearchInput): Parsed<AuditFilters> {
  const reader = readSearch(search);
  const chain = reader.choice("chain", AUDIT_CHAINS, "tenant");
  return reader.done({
    chain: chain === "tenant" ? undefined : chain,
    action: reader.text("action"),
    actor: reader.text("actor"),
    subjectType: reader.text("subjectType"),
    subjectId: reader.text("subjectId"),
    id: reader.text("id"),
    ...readWindow(reader, AUDIT_RANGE),
  });
}

export function auditSearch(filters: AuditFilters, cursor?: string): string {
  const { range, from, to, ...rest } = filters;
  return buildSearch({ ...rest, ...windowSearch({ range, from, to }, AUDIT_RANGE), cursor });
}
