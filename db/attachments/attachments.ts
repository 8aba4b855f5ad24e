import type { Queryable } from "@/db/client";

/** An attached database of a tenant; never what is sealed. */
export interface AttachmentRow {
  readonly id: string;
  readonly name: string;
  /** Host, port and database. */
  readonly shown: string;
  readonly installedAs: string;
  readonly preset: string;
  readonly createdAt: Date;
  readonly createdBy: string;
}

const COLUMNS = `id, name, shown, installed_as as "installedAs", preset, created_at as "createdAt", created_by as "createdBy"`;

/** A tenant's attachments by name, without those that were removed. */
export async function selectAttachments(
  q: Queryable,
  tenantId: string,
  limit: number,
): Promise<readonly AttachmentRow[]> {
  const { rows } = await q.query<AttachmentRow>({
    name: "attachments",
    text: `select ${COLUMNS} from onceboard.attachments where tenant_id = $1 and removed_at is null order by name limit $2`,
    values: [tenantId, limit],
  });
  return rows;
}

/** Those of every tenant, for whoever looks after the deployment; never what is sealed. */
export async function selectEveryAttachment(
  q: Queryable,
  limit: number,
): Promise<readonly (Pick<AttachmentRow, "name" | "shown"> & { readonly tenantId: string })[]> {
  const { rows } = await q.query<Pick<AttachmentRow, "name" | "shown"> & { tenantId: string }>({
    text: `select tenant_id as "tenantId", name, shown from onceboard.attachments where removed_at is null order by tenant_id, name limit $1`,
    values: [limit],
  });
  return rows;
}

/** One of them, with its sealed address. @returns undefined when there is none, or none any more */
export async function selectAttachment(
  q: Queryable,
  tenantId: string,
  by: { readonly name: string } | { readonly id: string },
): Promise<(AttachmentRow & { readonly sealed: Buffer }) | undefined> {
  const column = "name" in by ? "name" : "id";
  const { rows } = await q.query<AttachmentRow & { sealed: Buffer }>({
    name: `attachment_by_${column}`,
    text: `select ${COLUMNS}, sealed from onceboard.attachments where tenant_id = $1 and ${column} = $2 and removed_at is null`,
    values: [tenantId, "name" in by ? by.name : by.id],
  });
  return rows[0];
}

/** Locked for the rest of the transaction. */
export async function attachmentForChange(
  tx: Queryable,
  tenantId: string,
  id: string,
): Promise<AttachmentRow | undefined> {
  const { rows } = await tx.query<AttachmentRow>({
    text: `select ${COLUMNS} from onceboard.attachments where tenant_id = $1 and id = $2 and removed_at is null for update`,
    values: [tenantId, id],
  });
  return rows[0];
}

/**
 * Keeps an attachment. Two that are made at once wait for each other at the tenant's row, so limit and name hold.
 * @param limit attachments that the tenant may have, this one included
 */
export async function insertAttachment(
  tx: Queryable,
  tenantId: string,
  row: Omit<AttachmentRow, "createdAt"> & { readonly sealed: Buffer },
  limit: number,
): Promise<"kept" | "limit" | "name_taken"> {
  await tx.query({ text: "select 1 from onceboard.tenants where id = $1 for no key update", values: [tenantId] });
  const existing = await selectAttachments(tx, tenantId, limit);
  if (existing.some(({ name }) => name === row.name)) return "name_taken";
  if (existing.length >= limit) return "limit";
  const { id, name, sealed, shown, installedAs, preset, createdBy } = row;
  await tx.query({
    text: `insert into onceboard.attachments (tenant_id, id, name, sealed, shown, installed_as, preset, created_at, created_by)
           values ($1, $2, $3, $4, $5, $6, $7, clock_timestamp(), $8)`,
    values: [tenantId, id, name, sealed, shown, installedAs, preset, createdBy],
  });
  return "kept";
}

/** Its address goes, its name stays for what was done there. */
export async function markAttachmentRemoved(tx: Queryable, tenantId: string, id: string): Promise<void> {
  await tx.query({
    text: `update onceboard.attachments set removed_at = clock_timestamp(), sealed = null
           where tenant_id = $1 and id = $2 and removed_at is null`,
    values: [tenantId, id],
  });
}

/** Also of one that was removed: what was done there names it. */
export async function selectAttachmentName(q: Queryable, tenantId: string, id: string): Promise<string | undefined> {
  const { rows } = await q.query<{ name: string }>({
    name: "attachment_name",
    text: "select name from onceboard.attachments where tenant_id = $1 and id = $2",
    values: [tenantId, id],
  });
  return rows[0]?.name;
}

/** What the database is reached by from now on, where its host or port changed. */
export async function moveAttachment(
  tx: Queryable,
  tenantId: string,
  { id, sealed, shown }: Pick<AttachmentRow, "id" | "shown"> & { readonly sealed: Buffer },
): Promise<void> {
  await tx.query({
    text: `update onceboard.attachments set sealed = $3, shown = $4 where tenant_id = $1 and id = $2 and removed_at is null`,
    values: [tenantId, id, sealed, shown],
  });
}
