import { Timeline } from "@/components/chain/timeline";
import { RowsTable } from "@/components/table/rows-table";
import { Section } from "@/components/ui/section";
import { StateTag } from "@/components/ui/values/state-tag";
import { Time } from "@/components/ui/values/time";
import { formatDuration } from "@/presentation/format/display-time";
import type { GlyphName } from "@/presentation/format/glyph";
import { firstWords } from "@/domain/page-claim";
import { UNLISTED } from "@/presentation/message/attempts-words";
import type { AttemptRow, MessageDetail } from "@/presentation/views/messages";
import styles from "./messages.module.css";

export interface AttemptsSectionProps {
  readonly message: Pick<MessageDetail, "attemptsMade" | "lanes"> & {
    readonly at: string;
    readonly attempts: number;
    readonly unfinished: number;
    readonly maxAttempts: number;
  };
  /** What an attempt that worked is called: "acknowledged", "handled". */
  readonly done: string;
}

const OUTCOMES: Readonly<Record<AttemptRow["outcome"], { readonly glyph: GlyphName; readonly word: string }>> = {
  failed: { glyph: "failed", word: "Failed" },
  dead: { glyph: "dead", word: "The last one failed" },
  lost: { glyph: "STALE", word: "Lost" },
  succeeded: { glyph: "executed", word: "Succeeded" },
  running: { glyph: "IN_PROGRESS", word: "Under way" },
};

/** Every attempt: those that did not work are rows of their own, the one that did is on the message. */
export function AttemptsSection({ message, done }: AttemptsSectionProps) {
  const { attemptsMade, lanes, at, attempts, unfinished, maxAttempts } = message;
  const note = `${String(attempts)} started of ${String(maxAttempts)}${unfinished > 0 ? `, ${String(unfinished)} never ended` : ""}`;
  return (
    <Section title="Attempts" note={note}>
      {lanes !== undefined && (
        <div className={styles["lanes"]}>
          <Timeline {...lanes} />
        </div>
      )}
      <RowsTable
        label="Attempts"
        empty={<p className={styles["counts"]}>{firstWords(UNLISTED, message)}</p>}
        rows={attemptsMade}
        rowId={(attempt, index) => `${String(index)} ${attempt.at}`}
        columns={{
          Outcome: {
            cell: ({ outcome }) => <StateTag name={OUTCOMES[outcome].glyph}>{OUTCOMES[outcome].word}</StateTag>,
          },
          "No.": { align: "right", phone: "hidden", cell: (attempt) => attempt.number },
          Who: { phone: "hidden", cell: ({ who }) => who ?? <span className="quiet">not kept</span> },
          Ended: {
            align: "right",
            phone: "right",
            cell: (attempt) =>
              attempt.outcome === "running" ? (
                <>
                  lease until <Time at={attempt.at} now={at} form="clock" />
                </>
              ) : (
                <Time at={attempt.at} now={at} form="millis" />
              ),
          },
          After: {
            align: "right",
            phone: "hidden",
            cell: ({ outcome, afterMs }) => (outcome === "running" ? "" : formatDuration(afterMs)),
          },
          Response: { wrap: true, phone: "full", cell: (attempt) => attemptText(attempt, done) },
        }}
      />
    </Section>
  );
}

function attemptText({ outcome, code, error }: AttemptRow, done: string): string {
  if (outcome === "lost") return "Its lease ran out before it ended, and it was taken over.";
  if (outcome === "succeeded") return done;
  if (outcome === "running") return "";
  return error === undefined || error === "" ? (code ?? "no reason kept") : `${code ?? "error"}: ${error}`;
}
