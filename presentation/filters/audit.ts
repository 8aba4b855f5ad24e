import { AUDIT_CHAINS, type AuditChain } from "@/domain/access/audit-chain";
import {
  buildSearch,
  readSearch,
  readWindow,
  windowSearch,
  type Parsed,
  type Range,
  type SearchInput,
  type TimeWindow,
} from "./search";

const AUDIT_RANGE: Range = "30d";

export interface AuditFilters extends TimeWindow {
  /** Undefined: the tenant's. */
  readonly chain?: AuditChain | undefined;
  readonly action?: string | undefined;
  readonly actor?: string | undefined;
  readonly subjectType?: string | undefined;
  readonly subjectId?: string | undefined;
  /** Of the entry, of what it is about, or of the request. */
  readonly id?: string | undefined;
}

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
