import type { Queryable } from "@/db/client";
import type { AlertDestinationKind } from "@/domain/alerts/rules";

export interface AlertDestinationRow {
  readonly id: string;
  readonly kind: AlertDestinationKind;
  readonly name: string;
  readonly shown: string;
  readonly createdAt: Date;
  readonly createdBy: string;
}

const COLUMNS = `id, kind, name, shown, created_at as "createdAt", created_by as "createdBy"`;

/** A tenant's destinations, the oldest first; never what is sealed. */
export async function selectAlertDestinations(
  q: Queryable,
  tenantId: string,
  limit: number,
): Promise<readonly AlertDestinationRow[]> {
  const { rows } = await q.query<AlertDestinationRow>({
    name: "alert_destinations",
    text: `select ${COLUMNS} from onceboard.alert_destinations where tenant_id = $1 order by created_at, id limit $2`,
    values: [tenantId, limit],
  });
  return rows;
}

/** Locked for the rest of the transaction. */
export async function alertDestinationForChange(
  tx: Queryable,
  tenantId: string,
  id: string,
): Promise<AlertDestinationRow | undefined> {
  const { rows } = await tx.query<AlertDestinationRow>({
    text: `select ${COLUMNS} from onceboard.alert_destinations where tenant_id = $1 and id = $2 for update`,
    values: [tenantId, id],
  });
  return rows[0];
}

/** What a delivery needs. @returns undefined when it is not there any more */
export async function alertTarget(
  q: Queryable,
  tenantId: string,
  id: string,
): Promise<{ readonly kind: AlertDestinationKind; readonly sealed: Buffer } | undefined> {
  const { rows } = await q.query<{ kind: AlertDestinationKind; sealed: Buffer }>({
    name: "alert_target",
    text: "select kind, sealed from onceboard.alert_destinations where tenant_id = $1 and id = $2",
    values: [tenantId, id],
  });
  return rows[0];
}

/**
 * Keeps a destination. Two that are made at once wait for each other at the tenant's row, so the limit holds.
 * @param limit destinations that the tenant may have, this one included
 * @returns false when it has enough
 */
export async function insertAlertDestination(
  tx: Queryable,
  tenantId: string,
  row: Omit<AlertDestinationRow, "createdAt"> & { readonly sealed: Buffer },
  limit: number,
): Promise<boolean> {
  await tx.query({ text: "select 1 from onceboard.tenants where id = $1 for no key update", values: [tenantId] });
  const { rowCount } = await tx.query({
    text: `insert into onceboard.alert_destinations (tenant_id, id, kind, name, sealed, shown, created_at, created_by)
           select $1, $2, $3, $4, $5, $6, clock_timestamp(), $7
           where (select count(*) from onceboard.alert_destinations where tenant_id = $1) < $8`,
    values: [tenantId, row.id, row.kind, row.name, row.sealed, row.shown, row.createdBy, limit],
  });
  return rowCount === 1;
}

/** Removes a destination with what was sealed of it; its messages stay and are refused one by one. */
export async function deleteAlertDestination(tx: Queryable, tenantId: string, id: string): Promise<void> {
  await tx.query({
    text: "delete from onceboard.alert_destinations where tenant_id = $1 and id = $2",
    values: [tenantId, id],
  });
}
