import type { Cells } from "@/components/table/columns";
import { Id } from "@/components/ui/values/id";
import { Time } from "@/components/ui/values/time";
import { plural } from "@/presentation/format/words";
import { auditLabel, auditLabels } from "@/domain/access/audit-action";
import type { AUDIT } from "@/presentation/list/record-lists";
import type { AuditFold, AuditRow } from "@/presentation/views/audit";
import { Actor, Email } from "./actor";
import styles from "./audit.module.css";

/** Actions that ask nobody why. */
const UNASKED = /^sessions\.|^operators\.join$/;

/** A line of the audit: one entry, or what one cause left. */
export const AUDIT_CELLS: Cells<typeof AUDIT, AuditRow, string> = {
  at: (row, now) => <Time at={row.at} now={now} form="day" />,
  who: (row) => {
    const others = (row.fold?.actors ?? 1) - 1;
    return (
      <div className={styles["who"]}>
        <Actor row={row} />
        {others > 0 && <span className="quiet"> and {plural(others, "other")}</span>}
      </div>
    );
  },
  action: ({ action, fold }) =>
    fold === undefined ? (
      <div className={`${styles["action"] ?? ""} strong`} title={action}>
        {auditLabel(action)}
      </div>
    ) : (
      <div className={styles["action"]} title={fold.actions.join(", ")}>
        <span className="strong">{auditLabels(fold.actions)}</span> {plural(fold.entries, "entry", "entries")}
      </div>
    ),
  subject: (row) => (row.fold === undefined ? <Subject row={row} /> : <Cause fold={row.fold} />),
  reason: (row) => <Reason row={row} />,
  sequence: ({ sequence, fold }) => (
    <span className="quiet">{fold === undefined ? `#${sequence}` : `#${fold.oldest} to #${sequence}`}</span>
  ),
};

/** "webhook endpoint": a name of a table breaks between its words. */
const spaced = (type: string): string => type.replaceAll("_", " ");

function Subject({ row }: { readonly row: AuditRow }) {
  return (
    <div className={styles["subject"]}>
      {row.subjectEmail === undefined ? (
        <>
          {spaced(row.subjectType)} <Id value={row.subjectId} plain />
        </>
      ) : (
        <Email address={row.subjectEmail} />
      )}
    </div>
  );
}

/** What made the entries of a line, in place of what each is about. */
function Cause({ fold }: { readonly fold: AuditFold }) {
  const [kind = "", ...id] = fold.cause.split(":");
  return (
    <div className={styles["subject"]}>
      {fold.subjectTypes.map(spaced).join(", ")} of one {spaced(kind)} <Id value={id.join(":")} plain />
    </div>
  );
}

function Reason({ row: { reason, fold, action } }: { readonly row: AuditRow }) {
  if (fold !== undefined && fold.reasons > 1) return <span className="quiet">{fold.reasons} reasons</span>;
  if (reason === undefined || reason === "")
    return <span className="quiet">{UNASKED.test(action) ? "not asked" : "none given"}</span>;
  return (
    <span className={styles["reason"]} title={reason}>
      {reason}
    </span>
  );
}
