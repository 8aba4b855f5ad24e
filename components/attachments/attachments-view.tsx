import { DoneKeeper, DoneLine } from "@/components/feedback/done-line";
import { EmptyState } from "@/components/feedback/notice";
import { SettingsHead } from "@/components/settings/settings-head";
import { SectionTable } from "@/components/table/rows-table";
import { ButtonLink } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { DialogLink } from "@/components/ui/place-link";
import { Row } from "@/components/ui/row";
import { Glyph } from "@/components/ui/values/glyph";
import { Time } from "@/components/ui/values/time";
import {
  ATTACHING,
  attachmentLimit,
  attachmentsVerdict,
  reachWords,
} from "@/presentation/attachments/attachments-verdict";
import type { AttachmentsView as View, AttachmentView } from "@/presentation/views/attachments";
import { AttachmentDialogs } from "./attachment-dialogs";
import styles from "./attachments.module.css";

const NEW = "/settings/attachments/new";

/** The attached databases of a tenant, and whether each answers now. */
export function AttachmentsView({ view }: { readonly view: View }) {
  const { attachments, limit, at, whyNot } = view;
  const off = whyNot ?? attachmentLimit(view);
  return (
    <DoneKeeper>
      <SettingsHead
        here="/settings/attachments"
        clauses={attachmentsVerdict(view)}
        lede={ATTACHING}
        aside={
          off === undefined ? (
            <ButtonLink primary href={NEW}>
              Attach a database
            </ButtonLink>
          ) : (
            <span className="small quiet">{off}</span>
          )
        }
      />
      <DoneLine />
      <SectionTable
        title="Attached databases"
        note={`${String(attachments.length)} of ${String(limit)}`}
        space="small"
        empty={
          <EmptyState
            title="What attaching does"
            text="With the address of a database Onceboard says whose tables are there, what it could show of them, and the SQL that their owner runs. Looking reads names of tables and columns and at most ten rows of each list, and changes nothing."
          />
        }
        rows={attachments}
        columns={{
          Database: { phone: "full", wrap: true, cell: (one) => <Database one={one} /> },
          Library: { phone: "left", cell: ({ library }) => library },
          Attached: {
            align: "right",
            phone: "right",
            cell: ({ createdAt, createdBy }) => (
              <span>
                <Time at={createdAt} now={at} form="ago" /> by {createdBy}
              </span>
            ),
          },
          Now: { phone: "full", wrap: true, cell: (one) => <Reached one={one} /> },
          // Who may not act has no column for it.
          Actions: whyNot === undefined && {
            align: "right",
            phone: "full",
            cell: ({ id }) => (
              <Row end>
                <DialogLink small dialog={`remove:${id}`}>
                  Remove
                </DialogLink>
              </Row>
            ),
          },
        }}
      />
      <AttachmentDialogs view={view} />
    </DoneKeeper>
  );
}

function Database({ one: { name, shown, installedAs } }: { readonly one: AttachmentView }) {
  return (
    <div className={styles["what"]}>
      <Link href={`/sources/${name}`}>{name}</Link>
      <small className={styles["shown"]}>
        {shown}, {installedAs}
      </small>
    </div>
  );
}

function Reached({ one }: { readonly one: AttachmentView }) {
  const { unreachable } = one;
  return (
    <div className={styles["reached"]}>
      <span className={unreachable === undefined ? undefined : "broken"}>
        {unreachable === undefined && <Glyph name="proven" size={14} />} {reachWords(one)}
      </span>
      {unreachable !== undefined && <small className="quiet">{unreachable}</small>}
    </div>
  );
}
