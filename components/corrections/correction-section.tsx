import { Link } from "@/components/ui/link";
import { whyNotOffered } from "@/components/feedback/not-offered";
import { Offer } from "@/components/ui/offer";
import { Row } from "@/components/ui/row";
import { Section } from "@/components/ui/section";
import { Id } from "@/components/ui/values/id";
import { formatBytes } from "@/presentation/format/format-bytes";
import type { PlanCorrection } from "@/presentation/views/plans";
import { ChangeTable } from "./change-table";
import { ShowValuesDialog } from "./show-values-dialog";

interface CorrectionSectionProps {
  readonly planId: string;
  readonly correction: PlanCorrection;
}

/** What a plan would send, or has sent, in the place of a dead message: links both ways, and where the bodies differ. */
export function CorrectionSection({ planId, correction }: CorrectionSectionProps) {
  const { changes, bytes, reveal } = correction;
  const why = whyNotOffered(reveal);
  return (
    <Section
      title="Difference"
      note={`${changes.length === 1 ? "1 field" : `${String(changes.length)} fields`}, corrected body of ${formatBytes(String(bytes))}`}
      right={
        <Offer small dialog="values" notOffered={why}>
          Show values
        </Offer>
      }
    >
      <CorrectionLinks correction={correction} />
      <ChangeTable changes={changes} values={false} />
      {why !== undefined && <p className="small quiet">Values not offered: {why}</p>}
      <ShowValuesDialog path={`/api/v1/admin/plans/${planId}/reveal`} notOffered={why} />
    </Section>
  );
}

export function CorrectionLinks({ correction }: { readonly correction: PlanCorrection }) {
  const { messageId, newMessageId, whyNot, note } = correction;
  return (
    <>
      <Row>
        <span>
          Corrects{" "}
          <Link href={`/outbox/${messageId}`}>
            <Id value={messageId} plain />
          </Link>
          {newMessageId !== undefined && (
            <>
              {" "}
              · replaced by{" "}
              <Link href={`/outbox/${newMessageId}`}>
                <Id value={newMessageId} plain />
              </Link>
            </>
          )}
        </span>
      </Row>
      {whyNot !== undefined && <p className="soft">It cannot be sent now: {whyNot}</p>}
      {note !== undefined && <p className="soft">{note}</p>}
    </>
  );
}
