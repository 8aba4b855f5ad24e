import { EmptyState } from "@/components/feedback/notice";
import { placeHref } from "@/components/messages/place-table";
import { ButtonLink } from "@/components/ui/button";
import { DataList } from "@/components/ui/data-list";
import { Link } from "@/components/ui/link";
import { disabledReason } from "@/components/ui/offer";
import { PageHead } from "@/components/ui/page-head";
import { Id } from "@/components/ui/values/id";
import { StateTag } from "@/components/ui/values/state-tag";
import type { OutboxDetail } from "@/presentation/views/outbox";
import { CorrectForm } from "./correct-form";

/** Editing the body of a dead message: what is known of its receiver, the editor, and what becomes of it. */
export function CorrectView({ message }: { readonly message: OutboxDetail }) {
  const { id, type, topic, topicLabel, state, correctionNote, correctionPlan } = message;
  const action = message.actions.find((each) => each.action === "correct");
  const why = action === undefined ? "Not offered now." : disabledReason(action);
  return (
    <>
      <PageHead
        crumb={
          <>
            <Link href="/outbox">Outbox</Link> · <Link href={placeHref("outbox", topic)}>{topicLabel}</Link> ·{" "}
            <Link href={`/outbox/${id}`}>
              <Id value={id} plain />
            </Link>
          </>
        }
        crumbRight={<StateTag name={state} />}
        verdict={[
          { text: "Edit and requeue." },
          why === undefined ? { text: correctionNote ?? "" } : { text: `Not offered: ${why}`, tone: "doubt" as const },
        ]}
        lede={
          why === undefined && (
            <>
              {type}: a new message with the corrected body takes the place of this one, once a second person approves
              it.
            </>
          )
        }
      />
      {why === undefined ? (
        <>
          <DataList narrow items={KEPT} />
          <div className="above">
            <CorrectForm messageId={id} operationId={message.operationId} notOffered={undefined} />
          </div>
        </>
      ) : (
        <EmptyState
          title="You cannot correct this message now."
          actions={
            <>
              <ButtonLink small href={`/outbox/${id}`}>
                Back to the message
              </ButtonLink>
              {correctionPlan !== undefined && (
                <ButtonLink small href={`/plans/${correctionPlan}`}>
                  Open the correction
                </ButtonLink>
              )}
            </>
          }
        />
      )}
    </>
  );
}

const KEPT = [
  { name: "Stays", value: "Topic, ordering key and place in the order, operation, type, tenant, headers." },
  { name: "New", value: "The message id. The new message names this one; the receiver sees a new message." },
  { name: "This message", value: "Closed as corrected when it is approved, and no longer sent." },
];
