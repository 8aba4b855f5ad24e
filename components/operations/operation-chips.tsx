import type { ReactNode } from "react";
import { FilterChips, type FilterChip } from "@/components/ui/filter-chips";
import { FilterMenu, type FilterField } from "@/components/ui/filter-menu";
import { WINDOW_WORDS, rangeOptions } from "@/components/ui/window-chip";
import { formatDay } from "@/presentation/format/display-time";
import { CONSOLE_ACTIONS, operationKind } from "@/domain/operation-label";
import { filterHref, type PageAddress } from "@/presentation/list/page-address";
import type { OperationFilters } from "@/domain/lists/filters";

const KINDS = ["payments.create", "refunds.create", "payments.void", "accounts.create", CONSOLE_ACTIONS];

const FIELDS: readonly FilterField[] = [
  { name: "range", label: "Time", options: rangeOptions() },
  { name: "operation", label: "Kind", options: KINDS.map((value) => ({ value, label: kindLabel(value) })) },
  { name: "client", label: "Client", placeholder: "till-web, or !load-test for any but it" },
  { name: "key", label: "Key", placeholder: "whole key" },
  { name: "account", label: "Account" },
  { name: "reference", label: "Reference" },
  { name: "error", label: "Error code", placeholder: "provider.declined" },
  { name: "currency", label: "Currency", placeholder: "EUR" },
  { name: "min", label: "From amount", placeholder: "100.00" },
  { name: "max", label: "Up to amount", placeholder: "250.00" },
];

function kindLabel(operation: string): string {
  return operation === CONSOLE_ACTIONS ? "Console actions" : operationKind(operation);
}

export interface OperationChipsProps {
  readonly filters: OperationFilters;
  readonly address: PageAddress;
  readonly now: string;
  readonly right?: ReactNode;
}

/** Every filter that is on, and a form for another one. */
export function OperationChips({ filters, address, now, right }: OperationChipsProps) {
  return <FilterChips chips={activeChips(filters, address, now)} add={<FilterMenu fields={FIELDS} />} right={right} />;
}

/** @returns one chip per filter, the time first; only what may be dropped has an address without it. */
export function activeChips(filters: OperationFilters, address: PageAddress, now: string): readonly FilterChip[] {
  const chip = (name: string, label: string, value: string): FilterChip => ({
    name: label,
    value,
    dropHref: filterHref(address, { [name]: undefined }),
  });
  const not = filters.client?.startsWith("!") ?? false;
  const text = (name: "account" | "reference" | "key" | "error" | "currency"): FilterChip[] => {
    const value = filters[name];
    return value === undefined ? [] : [chip(name, name === "error" ? "error code" : name, value)];
  };
  const raw = (name: string): string => String(address.search[name] ?? "");
  return [
    ...timeChips(filters, address, now),
    ...(filters.states.length > 1 ? [chip("state", "states", String(filters.states.length))] : []),
    ...(filters.operation === undefined ? [] : [chip("operation", "kind", kindLabel(filters.operation))]),
    ...(filters.client === undefined
      ? []
      : [chip("client", not ? "client is not" : "client", filters.client.slice(not ? 1 : 0))]),
    ...text("key"),
    ...text("account"),
    ...text("reference"),
    ...text("error"),
    ...text("currency"),
    ...(filters.min === undefined ? [] : [chip("min", "from", raw("min"))]),
    ...(filters.max === undefined ? [] : [chip("max", "up to", raw("max"))]),
    ...(filters.attention ? [chip("attention", "only", "unknown or stale")] : []),
  ];
}

function timeChips({ range, from, to }: OperationFilters, address: PageAddress, now: string): readonly FilterChip[] {
  const explicit = [
    ...(from === undefined
      ? []
      : [
          {
            name: "from",
            value: `${formatDay(from, "utc", now)} UTC`,
            dropHref: filterHref(address, { from: undefined }),
          },
        ]),
    ...(to === undefined
      ? []
      : [{ name: "to", value: `${formatDay(to, "utc", now)} UTC`, dropHref: filterHref(address, { to: undefined }) }]),
  ];
  if (from !== undefined) return explicit;
  const standard = address.search["range"] === undefined;
  return [
    {
      name: "time",
      value: WINDOW_WORDS[range],
      dropHref: standard ? undefined : filterHref(address, { range: undefined }),
    },
    ...explicit,
  ];
}
