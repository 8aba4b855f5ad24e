import { Link } from "@/components/ui/link";
import { AnswersSparkline } from "@/components/ui/values/answers-sparkline";
import { CopyText } from "@/components/ui/values/copy-text";
import { Id } from "@/components/ui/values/id";
import { Money } from "@/components/ui/values/money";
import { Section } from "@/components/ui/section";
import { CopyPlace, PlaceLink } from "@/components/ui/place-link";
import { StateTag } from "@/components/ui/values/state-tag";
import { Time } from "@/components/ui/values/time";
import { Verdict } from "@/components/ui/verdict";
import { ShareBars } from "@/components/charts/share-bars";
import { WalkKeys } from "@/components/table/walk-keys";
import { MARK_WORDS } from "@/presentation/conflict/mark-claims";
import { formatCount } from "@/presentation/format/display-time";
import { shownAnswer } from "@/presentation/operation/shown-answer";
import type { ConflictDetail, ConflictGroup } from "@/presentation/views/conflicts";
import { plural } from "@/presentation/format/words";
import { Compare } from "./compare";
import { MARK_DIALOG, MarkDialog } from "./mark-dialog";
import styles from "./conflicts.module.css";

export interface ConflictPaneProps {
  readonly detail: ConflictDetail;
  readonly group: ConflictGroup | undefined;
  /** The group has more than were read. */
  readonly more?: boolean | undefined;
}

export function ConflictPane({ detail, group, more = false }: ConflictPaneProps) {
  const { shares, read } = detail.patterns;
  return (
    <article aria-label={`Conflict of ${detail.second.client}`}>
      <Walk detail={detail} group={group} more={more} />
      <Verdict as="h2" clauses={detail.verdict.clauses} />
      <p className={styles["lede"]}>
        Key <Id value={detail.key} mark strong /> <i>for</i>{" "}
        <Link href={`/operations/${detail.operationId}`}>{detail.kind.toLowerCase()}</Link>{" "}
        <Id value={detail.operationId} mark strong />
        {detail.reference !== undefined && (
          <>
            {" "}
            <i>reference</i> <Id value={detail.reference} strong />
          </>
        )}
        , sent {times(detail.answers.total)} by {detail.sameClient ? "one client" : "two clients"}.
      </p>
      <MarkLine detail={detail} />
      <Compare detail={detail} />
      <div className={styles["low"]}>
        <Section
          quiet
          space="none"
          title={`What to tell ${detail.second.client}`}
          right={<CopyLinks detail={detail} />}
        >
          <p className={styles["say"]}>{detail.message}</p>
        </Section>
        <div>
          <Section quiet space="none" title="This key" right={<AnswersSparkline {...detail.answers} />}>
            <Requests detail={detail} />
          </Section>
          {read > 0 && (
            <Section quiet space="small" title={groupWords(read, detail.group?.count ?? read)} note="in seven days">
              <ShareBars items={shares.map(({ label, count }) => ({ label, count, tone: "conflict" }))} />
            </Section>
          )}
        </div>
      </div>
    </article>
  );
}

function times(count: number): string {
  if (count <= 2) return count === 1 ? "once" : "twice";
  return `${formatCount(count)} times`;
}

/** @param read how many of the group were looked at, the newest */
function groupWords(read: number, count: number): string {
  if (count === 1) return "The only one in this group";
  return read < count ? `The newest ${String(read)} of ${formatCount(count)}` : `All ${String(count)} in this group`;
}

function MarkLine({ detail }: Pick<ConflictPaneProps, "detail">) {
  const { mark, markNot } = detail;
  const change = mark === undefined ? "Mark as client fault or ours" : "Change the mark";
  return (
    <div className={styles["mark"]}>
      {mark !== undefined && (
        <>
          <b>Marked {MARK_WORDS[mark.mark]}</b> by {mark.by} <Time at={mark.at} now={detail.at} form="ago" />:{" "}
          {mark.note} {mark.newer > 0 && <em>{plural(mark.newer, "conflict")} since. </em>}
        </>
      )}
      {markNot === undefined ? (
        <>
          <PlaceLink place={{ dialog: MARK_DIALOG, open: detail.eventId }}>{change}</PlaceLink>
          <MarkDialog key={detail.eventId} detail={detail} />
        </>
      ) : (
        <i>{markNot}</i>
      )}
    </div>
  );
}

function Walk({ detail, group, more = false }: ConflictPaneProps) {
  const ids = group?.eventIds ?? [];
  const index = ids.indexOf(detail.eventId);
  const at = (step: number): string | undefined => (index < 0 ? undefined : ids[index + step]);
  const next = at(1);
  const previous = at(-1);
  return (
    <div className={styles["crumb"]}>
      <WalkKeys ids={ids} current={detail.eventId} />
      <span>
        {detail.second.client}, {detail.route}
      </span>
      {index >= 0 && (
        <span>
          {index + 1} of {formatCount(group?.count ?? ids.length)}
          {more && "+"}
        </span>
      )}
      <span className={styles["walk"]}>
        {previous !== undefined && (
          <PlaceLink replace place={{ open: previous }}>
            Newer
          </PlaceLink>
        )}
        {next !== undefined && (
          <PlaceLink replace place={{ open: next }}>
            Older
          </PlaceLink>
        )}
        {(next ?? previous) !== undefined && (
          <span className="off-phone">
            Walk with <kbd>j</kbd> <kbd>k</kbd>
          </span>
        )}
      </span>
    </div>
  );
}

function CopyLinks({ detail }: Pick<ConflictPaneProps, "detail">) {
  return (
    <>
      <CopyText text={detail.message}>Copy text</CopyText> ·{" "}
      <CopyPlace place={{ open: detail.eventId }}>Copy link</CopyPlace>
    </>
  );
}

function Requests({ detail }: Pick<ConflictPaneProps, "detail">) {
  return (
    <table className={styles["requests"]} aria-label="Requests of this key, in order of arrival">
      <tbody>
        {detail.requests.map((request) => (
          <tr key={request.eventId} aria-current={request.eventId === detail.eventId || undefined}>
            <td>
              {request.outcome === "conflict" && request.eventId !== detail.eventId ? (
                <PlaceLink plain place={{ open: request.eventId }}>
                  <StateTag name={request.outcome} />
                </PlaceLink>
              ) : (
                <StateTag name={shownAnswer(request)} />
              )}
            </td>
            <td>
              <Time at={request.at} now={detail.at} form="clock" />
            </td>
            <td>{request.status}</td>
            <td>
              {request.money !== undefined && <Money minor={request.money.minor} currency={request.money.currency} />}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
