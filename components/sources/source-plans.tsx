import { FreezeDialog } from "@/components/plans/freeze-dialog";
import { Offer } from "@/components/ui/offer";
import { Row } from "@/components/ui/row";
import type { AttachedKindName } from "@/domain/plans/plan";
import { ACT_WORDS } from "@/presentation/sources/source-words";
import type { SourceHead } from "@/presentation/views/sources";

const KINDS: Readonly<Record<"requeue" | "discard", AttachedKindName>> = {
  requeue: "requeue_attached",
  discard: "discard_attached",
};

/** Dead rows as a plan: frozen with a verdict each, approved where there are many, and acted on one by one. */
export function SourcePlans({ source }: { readonly source: SourceHead }) {
  const offered = (["requeue", "discard"] as const).filter((act) => source.acts[act].offered);
  if (offered.length === 0) return null;
  return (
    <>
      <div className="above">
        <Row end>
          {offered.map((act) => (
            <Offer key={act} small dialog={dialogOf(act)} notOffered={source.acts[act].whyNot}>
              Plan to {ACT_WORDS[act].toLowerCase()} the dead rows
            </Offer>
          ))}
        </Row>
      </div>
      {offered.map((act) => (
        <FreezeDialog
          key={act}
          name={dialogOf(act)}
          kind={KINDS[act]}
          many="the newest dead rows"
          body={{ attached: { attachment: source.id } }}
          whyNot={source.acts[act].whyNot}
        />
      ))}
    </>
  );
}

const dialogOf = (act: "requeue" | "discard"): string => `plan:${act}`;
