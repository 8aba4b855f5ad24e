import type { AuditRow } from "@/presentation/views/audit";
import styles from "./actor.module.css";

/** Who did it: the name as the entry kept it, and the address that tells two of the same name apart. */
export function Actor({ row }: { readonly row: Pick<AuditRow, "actorName" | "actorEmail"> }) {
  return (
    <>
      {row.actorName}
      {row.actorEmail !== undefined && <span className={styles["email"]}> {row.actorEmail}</span>}
    </>
  );
}
