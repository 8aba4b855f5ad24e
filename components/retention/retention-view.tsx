import { Link } from "@/components/ui/link";
import { ActionDialog } from "@/components/feedback/action-dialog";
import { DecisionBox, DecisionHead, Lean } from "@/components/feedback/decision-box";
import { NotOffered, whyNotOffered } from "@/components/feedback/not-offered";
import { TooBroad } from "@/components/feedback/notice";
import { SectionTable } from "@/components/table/rows-table";
import { ButtonLink } from "@/components/ui/button";
import { Offer } from "@/components/ui/offer";
import { DataList } from "@/components/ui/data-list";
import { PageHead } from "@/components/ui/page-head";
import { Note, Stack } from "@/components/ui/row";
import { Section, TwoColumns } from "@/components/ui/section";
import { Time } from "@/components/ui/values/time";
import { formatCount } from "@/presentation/format/display-time";
import { formatBytes } from "@/presentation/format/format-bytes";
import { hrefWith, type PageAddress } from "@/presentation/list/page-address";
import { least, purgeClauses, purgeLean, purgeWords } from "@/presentation/retention/purge-claims";
import type { RetentionPreview, RetentionView as View } from "@/presentation/views/retention";
import { BodyKeys, Losing, Runs, Survives, Tables } from "./retention-detail";
import styles from "./retention.module.css";

const DIALOG = "purge";

interface PurgeProps {
  readonly preview: RetentionPreview;
  readonly whyNot: string | undefined;
}

export function RetentionView({ view, address }: { readonly view: View; readonly address: PageAddress }) {
  const { preview, run } = view;
  const whyNot = whyNotOffered(run);
  return (
    <>
      <PageHead
        verdict={purgeClauses(preview)}
        lede="Bodies are deleted first. After a purge the key, its state and its response status stay. Headers and body of the response and the commands that came under the key are gone."
      />
      <TwoColumns
        side={
          <Stack gap={32}>
            <div className={styles["box"]}>
              <Decide preview={preview} whyNot={whyNot} />
            </div>
            <Policy preview={preview} />
            <BodyKeys keys={view.keys} />
          </Stack>
        }
      >
        {preview.tooBroad ? (
          <TooBroad
            title="The preview took too long and was stopped."
            text="Nothing was changed. A purge works in small batches and does not need the preview."
            actions={
              <ButtonLink small href={hrefWith(address, {})}>
                Count again
              </ButtonLink>
            }
          />
        ) : (
          <Preview preview={preview} />
        )}
        <Losing rows={view.losing} now={preview.at} />
        <Survives />
        <Runs runs={view.runs} address={address} />
        {view.tables !== undefined && <Tables rows={view.tables} />}
      </TwoColumns>
      <PurgeDialog preview={preview} whyNot={whyNot} />
    </>
  );
}

/** What, how many, and what it means. */
type PreviewLine = readonly [what: string, count: string, note: string];

function Preview({ preview }: { readonly preview: RetentionPreview }) {
  const { operations, bodyRows, bytes, losingReplay, skippedOpen, mayRunAgain } = preview;
  const lines: readonly PreviewLine[] = [
    ["Operations", least(preview, operations), "Their command and answer bodies are removed together."],
    ["Bodies", least(preview, bodyRows), "Rows of commands and answers."],
    [
      "Bytes",
      formatBytes(bytes),
      "As they are stored. The table of a day is dropped later, once all its bodies are purged.",
    ],
    [
      "Lose byte-equal replay",
      least(preview, losingReplay),
      "Their window is open: a retry gets the stored bytes now, and none of them after a purge.",
    ],
    [
      "Skipped, still open",
      least(preview, skippedOpen),
      "In progress or unknown: never purged, their evidence is still needed.",
    ],
    [
      "Skipped, may run again",
      least(preview, mayRunAgain),
      "Ended without effect, key still live: a retry may run again under it.",
    ],
  ];
  return (
    <SectionTable
      title="What a purge would do now"
      note={preview.atLeast ? "it looked at 10,000 operations and stopped, so numbers are at least" : "exact"}
      right={
        <>
          counted <Time at={preview.at} now={preview.at} form="ago" />
        </>
      }
      rows={lines}
      rowId={([what]) => what}
      columns={{
        What: { cell: ([what]) => what },
        "How many": { align: "right", cell: ([, count]) => <b>{count}</b> },
        "What it means": { phone: "full", wrap: true, cell: ([, , note]) => <span className="soft">{note}</span> },
      }}
    >
      {preview.oldest !== undefined && (
        <Note>
          The oldest body that would go is from <Time at={preview.oldest} now={preview.at} form="exact" />.
        </Note>
      )}
    </SectionTable>
  );
}

function Decide({ preview, whyNot }: PurgeProps) {
  const lean = purgeLean(preview);
  return (
    <DecisionBox tone={preview.losingReplay > 0 ? "doubt" : "accent"} label="Purge expired bodies">
      <DecisionHead>Purge now</DecisionHead>
      {lean !== whyNot && <Lean>{lean}</Lean>}
      <div className={styles["act"]}>
        <Offer primary wide dialog={DIALOG} notOffered={whyNot}>
          Purge expired bodies now
        </Offer>
      </div>
      {whyNot !== lean && <NotOffered why={whyNot} />}
      <Note>The worker does the same automatically. A purge cannot be taken back.</Note>
    </DecisionBox>
  );
}

function Policy({ preview }: { readonly preview: RetentionPreview }) {
  return (
    <Section title="How long things are kept" quiet space="none">
      <DataList
        right
        items={[
          { name: "Bodies", value: `${formatCount(preview.bodyTtlHours)} h` },
          { name: "Keys", value: `${formatCount(preview.idempotencyTtlHours)} h, then expired` },
          { name: "Metadata", value: `${formatCount(preview.metadataTtlDays)} days` },
        ]}
      />
      <div className={styles["after"]}>
        <Note>BODY_TTL_HOURS, IDEMPOTENCY_TTL_HOURS and METADATA_TTL_DAYS, read when a process starts.</Note>
      </div>
      {preview.otherwise.length > 0 && (
        <div className={styles["otherwise"]}>
          <h3>Set differently by this tenant</h3>
          <DataList
            right
            items={preview.otherwise.map((one) => ({
              name: one.kind,
              value: (
                <Link href={`/policies/${encodeURIComponent(one.operation)}`}>
                  {`${formatCount(one.bodyTtlHours)} h, ${formatCount(one.ttlHours)} h, ${formatCount(one.metadataTtlDays)} days`}
                </Link>
              ),
            }))}
          />
          <Note>
            Bodies, keys and metadata, by the <Link href="/policies">policies</Link>. A key that is claimed already
            keeps its window.
          </Note>
        </div>
      )}
    </Section>
  );
}

function PurgeDialog({ preview, whyNot }: PurgeProps) {
  const { many, whose, effect, replay, skipped } = purgeWords(preview);
  return (
    <ActionDialog
      name={DIALOG}
      title={
        preview.tooBroad
          ? "Purge every expired body, and keep the metadata?"
          : `Purge ${many}, and keep ${whose} metadata?`
      }
      effect={effect}
      evidence={
        <>
          Older than {formatCount(preview.bodyTtlHours)} h
          {preview.otherwise.length > 0 && ", or than their own policy says"}
          {preview.oldest !== undefined && (
            <>
              , the oldest from <Time at={preview.oldest} now={preview.at} form="day" />
            </>
          )}
          . {replay}
        </>
      }
      notDone="No key, state, status or fingerprint is removed. No money moves. It cannot be taken back."
      skipped={skipped}
      verb={preview.tooBroad ? "Purge" : `Purge ${many}`}
      path="/api/v1/admin/retention/runs"
      notOffered={whyNot}
    />
  );
}
