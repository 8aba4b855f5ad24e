import { requeueOf } from "@/components/messages/requeue-facts";
import type { AnyMessage } from "@/presentation/message/sides";
import { groupOfKey, scopeOf } from "@/presentation/filters/dead-letters";
import type { DeadLetterFilters } from "@/domain/lists/filters";
import type { DeadLettersView } from "@/presentation/views/dead-letters";
import { DeadLetterDialog, type LetterFacts } from "./dead-letter-dialog";
import { disabledReason } from "./dead-letter-rows";
import { PlanDialog, type PlanVerb } from "./plan-dialog";

const VERBS: readonly PlanVerb[] = ["requeue", "discard"];

export interface LetterDialogsProps {
  readonly view: DeadLettersView;
  readonly filters: DeadLetterFilters;
  /** The message that the address asks about, where it is none of the rows. */
  readonly asked: LetterFacts | undefined;
}

/** Every dialog of the page; the address says which one is open. */
export function LetterDialogs({ view, filters, asked }: LetterDialogsProps) {
  const { group, matching } = view;
  const scope = scopeOf(filters);
  const whyNot = disabledReason(view.plan);
  return (
    <>
      <DeadLetterDialog
        rows={[...lettersOf(view), ...(asked === undefined ? [] : [asked])]}
        whyNot={{ requeue: disabledReason(view.requeue), discard: disabledReason(view.discard) }}
      />
      {VERBS.map((verb) => (
        <PlanDialog
          key={verb}
          name={`plan:${verb}:all`}
          verb={verb}
          count={matching.count}
          what="every message that matches the filter"
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
            body={{ filter: { ...scope, ...groupOfKey(group.key) } }}
            whyNot={whyNot}
          />
        ))}
    </>
  );
}

/** Those that are open still. */
function lettersOf({ rows, group }: DeadLettersView): readonly LetterFacts[] {
  return rows.rows.flatMap(({ side, messageId, place, safe, requeueNot, discardNot, requeuedAt }) =>
    requeuedAt !== undefined
      ? []
      : [
          {
            side,
            id: messageId,
            place: group?.placeLabel ?? place,
            safe: safe?.text,
            whyNot: requeueNot,
            discardNot,
          },
        ],
  );
}

/** @returns what the dialogs say of a message that was read by itself; undefined when it is not dead any more */
export function letterOf(message: AnyMessage): LetterFacts | undefined {
  if (message.state !== "dead") return undefined;
  return { ...requeueOf(message), discardNot: message.actions.find(({ action }) => action === "discard")?.whyNot };
}
