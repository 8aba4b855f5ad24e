import { RequeueInboxDialog } from "@/components/inbox/inbox-list";
import { RequeueOutboxDialog } from "@/components/outbox/outbox-list";
import { groupOfKey, scopeOf } from "@/presentation/filters/dead-letters";
import type { DeadLettersView } from "@/presentation/views/dead-letters";
import type { JudgedInboxRow } from "@/presentation/views/inbox";
import type { JudgedOutboxRow } from "@/presentation/views/outbox";
import { DiscardDialog } from "./discard-dialog";
import { off } from "./letter-rows";
import { PlanDialog, type PlanVerb } from "./plan-dialog";
import type { DeadLetterFilters } from "@/domain/lists/filters";

export interface DeadLetterDialogProps {
  /** `outbox:<id>`, `inbox:<id>`, `discard:<side>:<id>`, `plan:<verb>:group`, `plan:<verb>:all`. */
  readonly name: string;
  readonly view: DeadLettersView;
  readonly filters: DeadLetterFilters;
  /** The message that the dialog is about. */
  readonly outbox: JudgedOutboxRow | undefined;
  readonly inbox: JudgedInboxRow | undefined;
}

const DISCARD = /^discard:(outbox|inbox):(.+)$/;
const PLAN = /^plan:(requeue|discard):(group|all)$/;
const ONE = /^(outbox|inbox):(.+)$/;

/** The dialog that the address names, if there is one of that name. */
export function DeadLetterDialog({ name, view, filters, outbox, inbox }: DeadLetterDialogProps) {
  const [, discardSide, discardId = ""] = DISCARD.exec(name) ?? [];
  if (discardSide === "outbox" || discardSide === "inbox") {
    const row = discardSide === "outbox" ? outbox : inbox;
    const gone = row?.state === "dead" ? undefined : "It is not dead any more.";
    const place = discardSide === "outbox" ? outbox?.topicLabel : inbox?.consumer;
    return (
      <DiscardDialog name={name} side={discardSide} id={discardId} place={place} whyNot={off(view.discard) ?? gone} />
    );
  }
  const [, verb, range] = PLAN.exec(name) ?? [];
  if (verb !== undefined) {
    return <Plan name={name} verb={verb as PlanVerb} whole={range === "all"} view={view} filters={filters} />;
  }
  const [, side, id = ""] = ONE.exec(name) ?? [];
  const whyNot = off(view.requeue);
  if (side === "outbox") return <RequeueOutboxDialog name={name} id={id} row={outbox} whyNot={whyNot} />;
  if (side === "inbox") return <RequeueInboxDialog name={name} id={id} row={inbox} whyNot={whyNot} />;
  return null;
}

interface PlanProps {
  readonly name: string;
  readonly verb: PlanVerb;
  readonly whole: boolean;
  readonly view: DeadLettersView;
  readonly filters: DeadLetterFilters;
}

function Plan({ name, verb, whole, view, filters }: PlanProps) {
  const { group } = view;
  const scope = scopeOf(filters);
  if (whole) {
    return (
      <PlanDialog
        name={name}
        verb={verb}
        count={view.matching.count}
        what="every message that matches the filter"
        body={{ filter: scope }}
        whyNot={off(view.plan)}
      />
    );
  }
  if (group === undefined) return null;
  return (
    <PlanDialog
      name={name}
      verb={verb}
      count={group.count}
      what={`every message of ${group.errorCode} at ${group.placeLabel}`}
      body={{ filter: { ...scope, ...groupOfKey(group.key) } }}
      whyNot={off(view.plan)}
    />
  );
}
