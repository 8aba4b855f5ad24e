import type { ReactNode } from "react";
import { chipsOf, FilterChips, type FilterChip } from "@/components/ui/filter-chips";
import { FilterMenu, type FilterField } from "@/components/ui/filter-menu";
import { WINDOW_WORDS, rangeOptions } from "@/components/ui/time/window-chip";
import { ZonedTime } from "@/components/ui/values/time-span";
import { labelOf, withPresent, type OperationChoice } from "@/presentation/list/operation-choices";
import { filterHref, type PageAddress } from "@/presentation/list/page-address";
import { ANSWER_OUTCOMES, type AnswerOutcome } from "@/domain/idempotency/states";
import { BECAME, NO_CLIENT_NAME, type OperationFilters } from "@/domain/lists/filters";
import { NO_CLIENT } from "@/presentation/metrics/measure-links";

const ANSWERED_WORDS: Readonly<Record<AnswerOutcome, string>> = {
  executed: "executed",
  replayed: "replayed",
  conflict: "conflict",
  in_progress: "in progress",
  expired_retry: "expired",
  unknown: "unknown",
  failed: "failed",
};

type Field = FilterField<keyof OperationFilters>;
const fieldsOf = (kinds: readonly OperationChoice[]): readonly Field[] => [
  { name: "range", label: "Time", options: rangeOptions() },
  { name: "operation", label: "Kind", chip: "kind", options: kinds },
  ...FIELDS,
];
const FIELDS: readonly Field[] = [
  { name: "client", label: "Client", chip: "client", placeholder: "till-web, or !load-test for any but it" },
  {
    name: "answered",
    label: "Answered in this time",
    chip: "answered in this time",
    options: ANSWER_OUTCOMES.map((value) => ({ value, label: ANSWERED_WORDS[value] })),
  },
  {
    name: "became",
    label: "Became in this time",
    chip: "became in this time",
    options: BECAME.map((value) => ({ value, label: value })),
  },
  {
    name: "answeredTo",
    label: "Answered to client",
    chip: "answered to",
    placeholder: `till-web, or ${NO_CLIENT_NAME} for requests without one`,
  },
  {
    name: "reused",
    label: "Key reused in this time",
    chip: "reused",
    options: [{ value: "too_fast", label: "too fast" }],
  },
  {
    name: "messages",
    label: "Messages to the outbox",
    chip: "messages",
    options: [{ value: "none", label: "none" }],
  },
  { name: "key", label: "Key", chip: "key", placeholder: "whole key" },
  { name: "account", label: "Account", chip: "account" },
  { name: "reference", label: "Reference", chip: "reference" },
  { name: "error", label: "Error code", chip: "error code", placeholder: "provider.declined" },
  { name: "currency", label: "Currency", chip: "currency", placeholder: "EUR" },
  { name: "min", label: "From amount", chip: "from", placeholder: "100.00" },
  { name: "max", label: "Up to amount", chip: "up to", placeholder: "250.00" },
];

export interface OperationChipsProps {
  readonly filters: OperationFilters;
  readonly address: PageAddress;
  readonly now: string;
  /** That the filter offers. */
  readonly kinds: readonly OperationChoice[];
  readonly right?: ReactNode;
}

export function OperationChips({ filters, address, now, kinds, right }: OperationChipsProps) {
  const offered = withPresent(kinds, filters.operation);
  return (
    <FilterChips
      chips={activeChips(filters, address, now, kinds)}
      add={<FilterMenu fields={fieldsOf(offered)} />}
      right={right}
    />
  );
}

/** @returns one chip per filter, the time first; only what may be dropped has an address without it. */
export function activeChips(
  filters: OperationFilters,
  address: PageAddress,
  now: string,
  kinds: readonly OperationChoice[],
): readonly FilterChip[] {
  const chip = (drops: string, name: string, value: string): FilterChip => ({
    name,
    value,
    dropHref: filterHref(address, { [drops]: undefined }),
  });
  return [
    ...timeChips(filters, address, now),
    ...(filters.states.length > 1 ? [chip("state", "states", String(filters.states.length))] : []),
    ...chipsOf(fieldsOf(kinds), filters, address, (name, value) => {
      if (name === "operation") return { value: labelOf(kinds, value) };
      if (name === "client" && value.startsWith("!")) return { name: "client is not", value: value.slice(1) };
      if (name === "answered" && filters.answered !== undefined) return { value: ANSWERED_WORDS[filters.answered] };
      if (name === "answeredTo" && value === NO_CLIENT_NAME) return { value: NO_CLIENT };
      if (name === "reused") return { value: "too fast" };
      return name === "min" || name === "max" ? { value: String(address.search[name] ?? "") } : {};
    }),
    ...(filters.attention ? [chip("attention", "only", "unknown or stale")] : []),
  ];
}

function timeChips({ range, from, to }: OperationFilters, address: PageAddress, now: string): readonly FilterChip[] {
  const bound = (name: "from" | "to", at: string | undefined): readonly FilterChip[] =>
    at === undefined
      ? []
      : [
          {
            name,
            value: at,
            shown: <ZonedTime at={at} now={now} />,
            dropHref: filterHref(address, { [name]: undefined }),
          },
        ];
  const explicit = [...bound("from", from), ...bound("to", to)];
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
