import { Link } from "@/components/ui/link";
import { Tabs } from "@/components/ui/tabs";
import { Time } from "@/components/ui/values/time";
import { RANGE_WORDS } from "@/presentation/client/client-verdict";
import { hrefWith, type PageAddress } from "@/presentation/list/page-address";
import { CLIENT_RANGES, type ClientRange } from "@/presentation/views/clients";

/** The range as links: it is part of the address. */
export function ClientRangeTabs({
  current,
  address,
}: {
  readonly current: ClientRange;
  readonly address: PageAddress;
}) {
  return (
    <Tabs
      label="Range"
      tabs={CLIENT_RANGES.map((range) => ({
        href: hrefWith(address, { range: range === "24h" ? undefined : range, dialog: undefined }),
        label: RANGE_WORDS[range],
        current: range === current,
      }))}
    />
  );
}

export interface RolledUpProps {
  readonly at: string;
  readonly ageMs?: number | undefined;
  readonly table?: { readonly on: boolean; readonly href: string } | undefined;
}

/** Age of the roll-up that the numbers come from, and the same as a table. */
export function RolledUp({ at, ageMs, table }: RolledUpProps) {
  return (
    <>
      {ageMs === undefined ? (
        "not rolled up yet"
      ) : (
        <>
          rolled up <Time at={new Date(Date.parse(at) - ageMs).toISOString()} now={at} form="ago" />
        </>
      )}
      {table !== undefined && (
        <>
          {" · "}
          <Link href={table.href} scroll={false}>
            {table.on ? "as a chart" : "as a table"}
          </Link>
        </>
      )}
    </>
  );
}
