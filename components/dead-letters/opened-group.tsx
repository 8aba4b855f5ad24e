import { Link } from "@/components/ui/link";
import { placeHref } from "@/components/messages/place-table";
import { Glyph } from "@/components/ui/values/glyph";
import { disabledReason, Offer } from "@/components/ui/offer";
import { Note, Row } from "@/components/ui/row";
import { Section } from "@/components/ui/section";
import { Time } from "@/components/ui/values/time";
import { cutName } from "@/presentation/format/cut-middle";
import { formatCount } from "@/presentation/format/display-time";
import { groupAdvice } from "@/presentation/message/dead-letters-verdict";
import type { PageAddress } from "@/presentation/list/page-address";
import { wayTo } from "@/domain/messages/topic-label";
import type { DeadLetterGroup, DeadLettersView } from "@/presentation/views/dead-letters";
import type { OpenedMessage } from "@/components/messages/message-pane";
import { DeadLetterRows } from "./dead-letter-rows";
import styles from "./dead-letters.module.css";

export const OPENED = "opened";

/** "on the way to payments", "on the way by webhook to shop.example/hooks", "handled by ledger". */
export function groupWhere({ side, placeLabel }: Pick<DeadLetterGroup, "side" | "placeLabel">): string {
  return side === "outbox" ? `on the way ${wayTo(cutName(placeLabel))}` : `handled by ${cutName(placeLabel)}`;
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
            <p className={styles["said"]}>{groupAdvice(group)}</p>
            <Reasons group={group} />
            <p>
              {group.error} <span className="quiet">· {group.types.join(", ")}</span>
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

/** The sentences behind both judgements: said here once, and in a row only where they differ. */
function Reasons({ group }: { readonly group: DeadLetterGroup }) {
  return (
    <ul className={styles["reasons"]}>
      {group.reasons.map(({ of, said, count }) => (
        <li key={`${of} ${said.text}`}>
          <Glyph name={said.glyph} tone={said.tone} size={12} /> {count < group.judged && `${formatCount(count)}: `}
          {said.text}
        </li>
      ))}
    </ul>
  );
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
