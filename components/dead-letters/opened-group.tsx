import { Link } from "@/components/ui/link";
import { placeHref } from "@/components/messages/place-table";
import { Glyph } from "@/components/ui/values/glyph";
import { disabledReason, Offer } from "@/components/ui/offer";
import { Note, Row } from "@/components/ui/row";
import { Section } from "@/components/ui/section";
import { Time } from "@/components/ui/values/time";
import { formatCount } from "@/presentation/format/display-time";
import type { PageAddress } from "@/presentation/list/page-address";
import { REQUEUE_VERDICTS, VERDICT_WORDS } from "@/domain/messages/requeue-verdict";
import { wayTo } from "@/domain/messages/topic-label";
import type { DeadLetterGroup, DeadLettersView } from "@/presentation/views/dead-letters";
import type { OpenedMessage } from "@/components/messages/message-pane";
import { DeadLetterRows } from "./dead-letter-rows";
import styles from "./dead-letters.module.css";

export const OPENED = "opened";

/** "on the way to payments", "on the way by webhook to shop.example/hooks", "handled by ledger". */
export function groupWhere({ side, placeLabel }: Pick<DeadLetterGroup, "side" | "placeLabel">): string {
  return side === "outbox" ? `on the way ${wayTo(placeLabel)}` : `handled by ${placeLabel}`;
}

export interface OpenedGroupProps {
  readonly view: DeadLettersView;
  readonly group: DeadLetterGroup;
  readonly address: PageAddress;
  readonly opened: OpenedMessage;
}

export function OpenedGroup({ view, group, address, opened }: OpenedGroupProps) {
  return (
    <div id={OPENED} className={styles["opened"]}>
      <Section
        title={
          <span className={styles["title"]}>
            <Glyph name="dead" /> {formatCount(group.count)} × {group.errorCode}
          </span>
        }
        note={groupWhere(group)}
        right={
          <>
            first <Time at={group.firstAt} now={view.at} form="ago" />, last{" "}
            <Time at={group.lastAt} now={view.at} form="ago" />
          </>
        }
      >
        <div className={styles["facts"]}>
          <div>
            <p className={styles["said"]}>{advice(group)}</p>
            <p>
              {group.error} <span className="quiet">{group.types.join(", ")}</span>
            </p>
            {group.placeLabel !== group.place && (
              <p>
                Topic{" "}
                <Link href={placeHref(group.side, group.place)}>
                  <code className={styles["topic"]}>{group.place}</code>
                </Link>
              </p>
            )}
          </div>
          <GroupActs view={view} group={group} />
        </div>
        <DeadLetterRows view={view} group={group} address={address} opened={opened} />
      </Section>
    </div>
  );
}

/** What a requeue of the whole group would do now, and why it would leave the rest alone. */
function advice(group: DeadLetterGroup): string {
  const { judged } = group;
  const safe = group.verdicts.safe ?? 0;
  const of = judged < group.count ? `the newest ${formatCount(judged)}` : formatCount(group.count);
  if (group.count === 0) return "None of them is open any more.";
  const rest = REQUEUE_VERDICTS.filter((verdict) => verdict !== "safe" && (group.verdicts[verdict] ?? 0) > 0).map(
    (verdict) => `${formatCount(group.verdicts[verdict] ?? 0)} ${VERDICT_WORDS[verdict].toLowerCase()}`,
  );
  const first =
    safe === 0
      ? `None of ${of} is safe to requeue now.`
      : safe === judged
        ? allSafe(judged, of)
        : `${formatCount(safe)} of ${of} are safe to requeue now.`;
  return rest.length === 0 ? first : `${first} The others: ${rest.join(", ")}.`;
}

function allSafe(judged: number, of: string): string {
  return judged === 1 ? "It is safe to requeue now." : `All of ${of} are safe to requeue now.`.replace(/of (\d)/, "$1");
}

function GroupActs({ view, group }: Pick<OpenedGroupProps, "view" | "group">) {
  const why = disabledReason(view.plan) ?? (group.count === 0 ? "None of them is open." : undefined);
  const label = (verb: string): string =>
    `Plan a ${verb} of ${group.count === 1 ? "it" : `all ${formatCount(group.count)}`}`;
  const acts = (
    <Row end>
      <Offer dialog="plan:discard:group" place={{ open: group.key }} notOffered={why}>
        {label("discard")}
      </Offer>
      <Offer primary={why === undefined} dialog="plan:requeue:group" place={{ open: group.key }} notOffered={why}>
        {label("requeue")}
      </Offer>
    </Row>
  );
  if (why === undefined) return acts;
  return (
    <div>
      {acts}
      <Note>Not offered: {why}</Note>
    </div>
  );
}
