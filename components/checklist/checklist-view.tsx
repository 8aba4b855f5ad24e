import { Link } from "@/components/ui/link";
import { SampleLinks } from "@/components/invariants/sample-links";
import { Glyph } from "@/components/ui/values/glyph";
import { PageHead } from "@/components/ui/page-head";
import { Section } from "@/components/ui/section";
import { Time } from "@/components/ui/values/time";
import { checklistLede } from "@/presentation/list/list-answers";
import type { GlyphName } from "@/presentation/format/glyph";
import type { CheckVerdict, ChecklistCheck, ChecklistRow, ChecklistView as View } from "@/presentation/views/checklist";
import styles from "./checklist.module.css";

const GLYPHS: Readonly<Record<CheckVerdict, GlyphName | undefined>> = {
  holds: "proven",
  fails: "dead",
  cannot_tell: "skipped",
  note: undefined,
};
const WORDS: Readonly<Record<ChecklistRow["verdict"], string>> = {
  holds: "passes",
  fails: "fails",
  cannot_tell: "not known yet",
};

/** The review checklist, each line with what it rests on here and now. Nothing is true by itself. */
export function ChecklistView({ view }: { readonly view: View }) {
  return (
    <>
      <PageHead lede={checklistLede(view.hours)} verdict={view.verdict} />
      <Section
        title="Review checklist"
        note="what every API with retries needs comes first"
        right={
          <>
            checked <Time at={view.at} now={view.at} form="ago" />
          </>
        }
      >
        <ol>
          {view.rows.map((row) => (
            <Line key={row.id} row={row} />
          ))}
        </ol>
      </Section>
    </>
  );
}

function Line({ row }: { readonly row: ChecklistRow }) {
  return (
    <li id={row.id} className={styles["line"]}>
      <div className={styles["said"]} data-verdict={row.verdict}>
        <Mark verdict={row.verdict} size={16} />
        <div>
          <h3>{row.line}</h3>
          <p>{WORDS[row.verdict]}</p>
        </div>
      </div>
      <ul className={styles["checks"]}>
        {row.checks.map((check) => (
          <Check key={check.text} check={check} />
        ))}
      </ul>
    </li>
  );
}

function Check({ check }: { readonly check: ChecklistCheck }) {
  return (
    <li data-verdict={check.verdict}>
      <Mark verdict={check.verdict} size={12} />
      <span>
        {check.text}
        {check.href !== undefined && (
          <>
            {" "}
            <Link href={check.href} aria-label={`View: ${check.text}`}>
              View
            </Link>
          </>
        )}
        <SampleLinks samples={check.samples ?? []} className={styles["sample"]} />
      </span>
    </li>
  );
}

function Mark({ verdict, size }: { readonly verdict: CheckVerdict; readonly size: 12 | 16 }) {
  const name = GLYPHS[verdict];
  return name === undefined ? <span className="block" /> : <Glyph name={name} size={size} />;
}
