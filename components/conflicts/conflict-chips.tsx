import { FilterChips, type FilterChip } from "@/components/ui/filter-chips";
import { FilterMenu, type FilterField } from "@/components/ui/filter-menu";
import { rangeOptions, windowChip } from "@/components/ui/window-chip";
import { ListTools, type ListFacts } from "@/components/views/list-tools";
import { operationKind } from "@/domain/operation-label";
import { filterHref, type PageAddress } from "@/presentation/list/page-address";
import { CONFLICT_RANGES, type ConflictFilters, conflictWindow } from "@/domain/lists/filters";

const FIELDS: readonly FilterField[] = [
  { name: "range", label: "Time", options: rangeOptions(CONFLICT_RANGES) },
  { name: "client", label: "Client", placeholder: "till-web" },
  { name: "operation", label: "Operation", placeholder: "payments.create" },
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
  const { client, operation } = filters;
  const chip = (name: string, label: string, value: string): FilterChip => ({
    name: label,
    value,
    dropHref: filterHref(address, { [name]: undefined, conflict: undefined }),
  });
  return [
    windowChip(conflictWindow(filters), address, now),
    ...(client === undefined ? [] : [chip("client", "client", client)]),
    ...(operation === undefined ? [] : [chip("operation", "kind", operationKind(operation))]),
  ];
}
