import { chipsOf, FilterChips, type FilterChip } from "@/components/ui/filter-chips";
import { FilterMenu, type FilterField } from "@/components/ui/filter-menu";
import { rangeOptions, windowChip } from "@/components/ui/window-chip";
import { ListTools, type ListFacts } from "@/components/views/list-tools";
import { operationKind } from "@/domain/operation-label";
import type { PageAddress } from "@/presentation/list/page-address";
import { CONFLICT_RANGES, type ConflictFilters, conflictWindow } from "@/domain/lists/filters";

const FIELDS: readonly FilterField<keyof ConflictFilters>[] = [
  { name: "range", label: "Time", options: rangeOptions(CONFLICT_RANGES) },
  { name: "client", label: "Client", chip: "client", placeholder: "till-web" },
  { name: "operation", label: "Operation", chip: "kind", placeholder: "payments.create" },
];

export interface ConflictChipsProps {
  readonly filters: ConflictFilters;
  readonly address: PageAddress;
  readonly now: string;
  readonly facts: ListFacts;
}

export function ConflictChips({ filters, address, now, facts }: ConflictChipsProps) {
  return (
    <FilterChips
      chips={chips(filters, address, now)}
      add={<FilterMenu fields={FIELDS} />}
      right={<ListTools facts={facts} address={address} />}
    />
  );
}

function chips(filters: ConflictFilters, address: PageAddress, now: string): readonly FilterChip[] {
  const closed = { ...address, search: { ...address.search, conflict: undefined } };
  return [
    windowChip(conflictWindow(filters), address, now),
    ...chipsOf(FIELDS, filters, closed, (name, value) => (name === "operation" ? { value: operationKind(value) } : {})),
  ];
}
