"use client";

import { Button } from "@/components/ui/button";
import { Section } from "@/components/ui/section";
import { CopyText } from "@/components/ui/values/copy-text";
import { Glyph } from "@/components/ui/values/glyph";
import type { FindingView, InstalledView, InstallSqlView } from "@/presentation/views/attachments";
import styles from "./setup.module.css";

const GLYPHS = { ok: "proven", note: "gap", wrong: "dead" } as const;
const WORDS = { ok: "Passes", note: "Note", wrong: "Fails" } as const;

interface ChecksProps {
  readonly installed: InstalledView;
  readonly busy: boolean;
  readonly again: () => void;
}

/** What a check of the installation said, with the statement that mends it. */
export function Checks({ installed: { findings, schema }, busy, again }: ChecksProps) {
  const passed = findings.filter(({ state }) => state === "ok").length;
  return (
    <Section
      title="Checks"
      note={`${String(passed)} of ${String(findings.length)} pass, schema ${schema}`}
      space="small"
    >
      <ul className={styles["checks"]}>
        {findings.map((finding) => (
          <Finding key={finding.text} finding={finding} />
        ))}
      </ul>
      <Button onClick={again} disabled={busy}>
        {busy ? "Checking" : "Check again"}
      </Button>
    </Section>
  );
}

function Finding({ finding: { state, text, mend } }: { readonly finding: FindingView }) {
  return (
    <li>
      <Glyph name={GLYPHS[state]} size={14} label={WORDS[state]} />
      <div>
        <b>{text}</b>
        {mend !== undefined && <Sql text={mend} label={`What mends it: ${text}`} copy="Copy the statement" />}
      </div>
    </li>
  );
}

interface SqlStepsProps {
  readonly sql: InstallSqlView | undefined;
  readonly acting: boolean;
  readonly busy: boolean;
  readonly choose: (acting: boolean) => void;
}

/** What the owner of the database runs, in its steps; each can be read before it is run. */
export function SqlSteps({ sql, acting, busy, choose }: SqlStepsProps) {
  return (
    <Section
      title="SQL for the owner of the database"
      space="small"
      right={sql === undefined ? undefined : <CopyText text={sql.file}>Copy all</CopyText>}
    >
      <label className={styles["check"]}>
        <input
          type="checkbox"
          checked={acting}
          disabled={busy}
          onChange={(event) => {
            choose(event.currentTarget.checked);
          }}
        />
        <span>With step 3, to requeue, discard and purge</span>
      </label>
      {sql === undefined ? (
        <p className="note">It is written once what only its owner knows is said.</p>
      ) : (
        <>
          <h3 className={styles["step"]}>1. Look: views, and the right to read them</h3>
          <Sql text={sql.look} label="Step 1: look" copy="Copy step 1" />
          <h3 className={styles["step"]}>2. Index: outside of a transaction, where a check asks for it</h3>
          {sql.indexes.length === 0 ? (
            <p className="note">None is needed: the library brings its own.</p>
          ) : (
            <Sql text={sql.indexes.join("\n\n")} label="Step 2: index" copy="Copy step 2" />
          )}
          <h3 className={styles["step"]}>3. Act: guarded functions</h3>
          {sql.act === "" ? (
            <p className="note">{acting ? "These tables have no safe one." : "Left out: reading only."}</p>
          ) : (
            <Sql text={sql.act} label="Step 3: act" copy="Copy step 3" />
          )}
        </>
      )}
    </Section>
  );
}

/** A text of SQL that scrolls by keys too. */
function Sql({ text, label, copy }: { readonly text: string; readonly label: string; readonly copy: string }) {
  return (
    <div className={styles["sql"]}>
      <pre tabIndex={0} role="region" aria-label={label}>
        {text}
      </pre>
      <CopyText text={text}>{copy}</CopyText>
    </div>
  );
}
