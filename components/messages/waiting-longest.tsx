import { Link } from "@/components/ui/link";
import type { ReactNode } from "react";
import { Section } from "@/components/ui/section";
import { waitingCount } from "@/presentation/format/waiting-count";
import { firstWords } from "@/domain/page-claim";
import { NOTHING_WAITS } from "@/presentation/message/nothing-waits";
import { SIDE_WORDS } from "@/presentation/message/sides";
import type { JudgedInboxRow } from "@/presentation/views/inbox";
import type { JudgedOutboxRow } from "@/presentation/views/outbox";
import type { PlaceDetail } from "@/presentation/views/place-pages";
import { RequeueDialogs } from "./requeue-dialog";
import { deadMessagesOf } from "./dead-message";
import styles from "./messages.module.css";

export interface WaitingLongestProps {
  readonly detail: PlaceDetail<JudgedOutboxRow | JudgedInboxRow>;
  readonly whyNot: string | undefined;
  readonly children: ReactNode;
}

export function WaitingLongest({ detail, whyNot, children }: WaitingLongestProps) {
  const { waiting, row } = detail;
  const { side, place } = row;
  const all = new URLSearchParams({ [SIDE_WORDS[side].place.toLowerCase()]: place });
  return (
    <>
      <Section
        title="Waiting longest"
        note={waiting.length === 0 ? undefined : `the oldest ${String(waiting.length)} of ${waitingCount(row)}`}
        right={<Link href={`/${side}?${all.toString()}`}>All in the {side}</Link>}
      >
        {waiting.length === 0 ? <p className={styles["counts"]}>{firstWords(NOTHING_WAITS, row)}</p> : children}
      </Section>
      <RequeueDialogs side={side} rows={deadMessagesOf(waiting)} whyNot={whyNot} />
    </>
  );
}
