import { disabledReason } from "@/components/ui/offer";
import { outlookCountsText } from "@/presentation/message/outlook";
import { deadMessageOf } from "@/components/messages/dead-message";
import type { AnyMessage } from "@/presentation/message/sides";
import { groupOfKey } from "@/presentation/filters/dead-letters";
import { type DeadLetterFilters, scopeOf } from "@/domain/lists/filters";
import type { DeadLettersView } from "@/presentation/views/dead-letters";
import type { DeadMessage } from "@/components/messages/requeue-dialog";
import { DeadLetterDialog } from "./dead-letter-dialog";
import { PlanDialog, type PlanVerb } from "./plan-dialog";

const VERBS: readonly PlanVerb[] = ["requeue", "discard"];

export interface DeadLettersDialogsProps {
  readonly view: DeadLettersView;
  readonly filters: DeadLetterFilters;
  /** The message that the address asks about, where it is none of the rows. */
  readonly asked: DeadMessage | undefined;
}

export function DeadLettersDialogs({ view, filters, asked }: DeadLettersDialogsProps) {
  const { group, matching } = view;
  const scope = scopeOf(filters);
  const whyNot = disabledReason(view.plan);
  return (
    <>
      <DeadLetterDialog
        rows={[...openOnes(view), ...(asked === undefined ? [] : [asked])]}
        whyNot={{ requeue: disabledReason(view.requeue), discard: disabledReason(view.discard) }}
      />
      {VERBS.map((verb) => (
        <PlanDialog
          key={verb}
          name={`plan:${verb}:all`}
          verb={verb}
          count={matching.count}
          what="every message that matches the filter"
          outlook={outlookCountsText(view.outlooks)}
          body={{ filter: scope }}
          whyNot={whyNot}
        />
      ))}
      {group !== undefined &&
        VERBS.map((verb) => (
          <PlanDialog
            key={`${verb} ${group.key}`}
            name={`plan:${verb}:group`}
            verb={verb}
            count={group.count}
            what={`every message of ${group.errorCode} at ${group.placeLabel}`}
            outlook={outlookCountsText(group.outlooks)}
            body={{ filter: { ...scope, ...groupOfKey(group.key) } }}
            whyNot={whyNot}
          />
        ))}
    </>
  );
}

function openOnes({ rows, group }: DeadLettersView): readonly DeadMessage[] {
  return rows.rows.flatMap(({ side, messageId, place, verdict, safe, outlook, requeueNot, discardNot, requeuedAt }) =>
    requeuedAt !== undefined
      ? []
      : [
          {
            side,
            id: messageId,
            place: group?.placeLabel ?? place,
            safe: safe?.text,
            outlook: outlook?.text,
            // Of the outbox, what is processed and may be requeued is closed instead.
            closes: verdict === "processed" && requeueNot === undefined ? true : undefined,
            whyNot: requeueNot,
            discardNot,
          },
        ],
  );
}

/** @returns what the dialogs say of a message that was read by itself; undefined when it is not dead any more */
export function foundDead(message: AnyMessage): DeadMessage | undefined {
  if (message.state !== "dead") return undefined;
  return { ...deadMessageOf(message), discardNot: message.actions.find(({ action }) => action === "discard")?.whyNot };
}
