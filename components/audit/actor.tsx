import type { AuditRow } from "@/presentation/views/audit";
import styles from "./actor.module.css";

/** Who did it: the name as the entry kept it, and the address that tells two of the same name apart. */
export function Actor({ row }: { readonly row: Pick<AuditRow, "actorName" | "actorEmail"> }) {
  return (
    <>
      {row.actorName}
      {row.actorEmail !== undefined && (
        <>
          {" "}
          <Email address={row.actorEmail} small />
        </>
      )}
    </>
  );
}

/** One line: it is cut where its place is narrow, and breaks at no letter. */
export function Email({ address, small = false }: { readonly address: string; readonly small?: boolean }) {
  return (
    <span className={styles["email"]} data-small={small || undefined} title={address}>
      {address}
    </span>
  );
}
