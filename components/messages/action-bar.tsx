import { Button, ButtonLink } from "@/components/ui/button";
import { disabledReason, Offer } from "@/components/ui/offer";
import { Note, Row } from "@/components/ui/row";
import type { ActionView } from "@/presentation/views/common";
import { RequeueButton } from "./message-cells";
import styles from "./messages.module.css";

/** What may be done with one message, and why the rest may not. */
export function ActionBar({ id, actions }: { readonly id: string; readonly actions: readonly ActionView[] }) {
  const off = actions.filter(({ whyNot }) => whyNot !== undefined);
  const [first] = off;
  return (
    <div className={styles["actions"]}>
      {first !== undefined && (
        <Note>
          {off.length < actions.length ? `${first.label} not offered` : "Not offered"}: {first.whyNot}
        </Note>
      )}
      <Row end>
        {actions.map((action) => {
          const whyNot = disabledReason(action);
          if (action.action === "requeue")
            return <RequeueButton key="requeue" name={`requeue:${id}`} whyNot={whyNot} primary={action.allowed} />;
          if (action.action === "republish")
            return (
              <Offer
                key="republish"
                small={!action.allowed || undefined}
                primary={action.allowed}
                dialog={`republish:${id}`}
                notOffered={whyNot}
              >
                {action.label}
              </Offer>
            );
          if (action.action === "correct" && whyNot === undefined)
            return (
              <ButtonLink key="correct" href={`/outbox/${id}/correct`}>
                {action.label}…
              </ButtonLink>
            );
          if (action.action === "correct")
            return (
              <Button key="correct" small notOffered={whyNot}>
                {action.label}…
              </Button>
            );
          return (
            <Offer
              key={action.action}
              small={!action.allowed || undefined}
              dialog={`discard:${id}`}
              notOffered={whyNot}
            >
              {action.label}
            </Offer>
          );
        })}
      </Row>
    </div>
  );
}
