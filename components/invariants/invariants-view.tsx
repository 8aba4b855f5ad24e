import { PageHead } from "@/components/ui/page-head";
import { Section } from "@/components/ui/section";
import { Time } from "@/components/ui/values/time";
import type { InvariantPageRow, InvariantsPage } from "@/presentation/views/invariants";
import { CheckNow } from "./check-now";
import { InvariantLine } from "./invariant-line";

/** What must always hold: violated sentences first, then every group in its order. Nothing is checked by looking. */
export function InvariantsView({ view }: { readonly view: InvariantsPage }) {
  const wrong = view.rows.filter((row) => row.checked && !row.holds);
  const others = view.rows.filter((row) => !wrong.includes(row));
  const groups = [...new Set(others.map((row) => row.group))];
  return (
    <>
      <PageHead
        lede={
          <>
            Read-only statements that look for a counterexample, run by the worker once a minute; each is stopped when
            it takes longer than 3 s. Most look back {view.windowHours} hours: what broke earlier was red then, and its
            strip and date say so for 30 days.
          </>
        }
        aside={<CheckNow notOffered={view.checkNot} />}
        verdict={view.verdict}
      />
      {wrong.length > 0 && <Group title="Violated" rows={wrong} view={view} />}
      {groups.map((group) => (
        <Group key={group} title={group} rows={others.filter((row) => row.group === group)} view={view} />
      ))}
    </>
  );
}

interface GroupProps {
  readonly title: string;
  readonly rows: readonly InvariantPageRow[];
  readonly view: InvariantsPage;
}

function Group({ title, rows, view }: GroupProps) {
  const holding = rows.filter((row) => row.holds).length;
  return (
    <Section
      title={title}
      note={title === "Violated" ? undefined : `${String(holding)} of ${String(rows.length)} hold`}
      right={
        view.checkedAt === undefined ? undefined : (
          <>
            checked <Time at={view.checkedAt} now={view.at} form="ago" />
          </>
        )
      }
    >
      <ul>
        {rows.map((row) => (
          <InvariantLine key={row.name} row={row} view={view} />
        ))}
      </ul>
    </Section>
  );
}
