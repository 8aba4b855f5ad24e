import { Link } from "@/components/ui/link";
import { Trend } from "@/components/charts/trend";
import { SectionTable } from "@/components/table/rows-table";
import { CopyText } from "@/components/ui/values/copy-text";
import { Id } from "@/components/ui/values/id";
import { Section } from "@/components/ui/section";
import { Time } from "@/components/ui/values/time";
import { noAdviceWords } from "@/presentation/client/client-advice";
import { fastWords } from "@/presentation/client/client-key-claims";
import { RANGE_WORDS } from "@/presentation/client/client-verdict";
import { cutName } from "@/presentation/format/cut-middle";
import { formatCount, formatDuration } from "@/presentation/format/display-time";
import { withoutMilliseconds } from "@/presentation/metrics/measure-links";
import type { ClientDetail } from "@/presentation/views/clients";
import type { ConflictGroup } from "@/presentation/views/conflicts";
import { plural } from "@/presentation/format/words";
import styles from "./clients.module.css";

export function ClientMisuse({ detail }: { readonly detail: ClientDetail }) {
  return (
    <>
      <Advice detail={detail} />
      <Conflicts detail={detail} />
      <Fast detail={detail} />
    </>
  );
}

function Advice({ detail: { advice, message, report } }: { readonly detail: ClientDetail }) {
  return (
    <Section title="What the client should do" right={<CopyText text={message}>Copy report</CopyText>}>
      {advice.length === 0 ? (
        <p className={styles["rule"]}>{noAdviceWords(report)}</p>
      ) : (
        <ol className={styles["advice"]}>
          {advice.map(({ name, what, todo }) => (
            <li key={name}>
              <b>{what}</b>
              <span className="soft block">{todo}</span>
            </li>
          ))}
        </ol>
      )}
      <details>
        <summary className={styles["rule"]}>The text to send: counts and rules, no key, no value</summary>
        <p className={styles["message"]}>{message}</p>
      </details>
    </Section>
  );
}

function Conflicts({ detail }: { readonly detail: ClientDetail }) {
  const { conflicts, report, range, at } = detail;
  if (conflicts.length === 0) return null;
  return (
    <Section
      title="Conflicts"
      note={
        report.conflicts === 0
          ? "not rolled up yet"
          : `rolled up: ${plural(report.conflicts, "request")} on ${plural(report.conflictKeys, "key")}, ${RANGE_WORDS[range]}`
      }
      right={<Link href={conflictsHref(detail)}>All its conflicts</Link>}
    >
      <ul className={styles["groups"]}>
        {conflicts.map((group) => (
          <li key={group.operation}>
            <Link href={conflictsHref(detail, group.eventIds[0])} data-plain>
              <span>
                <b>{group.kind}</b>
                <small>
                  {differs(group)}, last <Time at={group.lastAt} now={at} form="ago" />
                </small>
              </span>
              <Trend
                values={group.spark}
                color="conflict"
                label={`${plural(group.count, "conflict")}, ${RANGE_WORDS[range]}`}
              />
              <strong>{formatCount(group.count)}</strong>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function conflictsHref({ report, range, from }: ClientDetail, open?: string): string {
  const query = new URLSearchParams({ client: report.client });
  if (range === "7d") query.set("range", range);
  if (range === "30d") query.set("from", withoutMilliseconds(from));
  if (open !== undefined) query.set("open", open);
  return `/conflicts?${query.toString()}`;
}

function differs({ differingFields }: ConflictGroup): string {
  return differingFields.length === 0 ? "a key of another client" : `other ${differingFields.map(cutName).join(", ")}`;
}

function Fast({ detail }: { readonly detail: ClientDetail }) {
  const { fastRetries, report, at, fastLookedAt } = detail;
  if (report.fast === 0) return null;
  return (
    <SectionTable
      title="Retries too fast"
      note={`${formatCount(report.fast)} of ${formatCount(report.again)} that were retried`}
      empty={null}
      label="Retries too fast, newest first"
      rows={fastRetries}
      rowId={({ operationId }, index) => `${operationId} ${String(index)}`}
      columns={{
        Operation: {
          cell: ({ operationId }) => (
            <Link href={`/operations/${operationId}`}>
              <Id value={operationId} plain />
            </Link>
          ),
        },
        What: { phone: "full", cell: ({ kind }) => kind },
        Response: { phone: "hidden", cell: ({ outcome }) => outcome.replaceAll("_", " ") },
        "After the one before": { align: "right", cell: ({ gapMs }) => formatDuration(gapMs) },
        When: { align: "right", phone: "hidden", cell: (one) => <Time at={one.at} now={at} form="ago" /> },
      }}
    >
      <p className={styles["rule"]}>
        The rule: less than 100 ms after the request before it of the same client and key.{" "}
        {"The published schedule waits at least 100 ms."}
        {` ${fastWords({ shown: fastRetries.length, fastLookedAt })}`}
      </p>
    </SectionTable>
  );
}
