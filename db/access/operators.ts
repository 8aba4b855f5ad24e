import type { Queryable } from "@/db/client";
import { TENANT_ROLES } from "./grants";

export interface OperatorFacts {
  readonly id: string;
  readonly email: string;
  /** On all tenants; null: none. */
  readonly role: string | null;
  /** By tenant. */
  readonly tenants: Readonly<Record<string, string>>;
  readonly disabled: boolean;
  readonly twoFactor: boolean;
}

/**
 * Locks an operator and every admin who may sign in, in the caller's transaction: two admins who take each other's role at the
 * same moment do it one after the other, and the second one sees it.
 *
 * @returns the operator, and how many other admins of all tenants may sign in
 */
export async function lockOperator(
  tx: Queryable,
  id: string,
): Promise<{ readonly operator: OperatorFacts | undefined; readonly otherAdmins: number }> {
  const { rows } = await tx.query<OperatorFacts>({
    text: `select o.id, o.email, o.role, o.disabled_at is not null as disabled, o.two_factor_enabled as "twoFactor",
                  ${TENANT_ROLES} as tenants
             from onceboard.operators o
            where o.id = $1 or (o.role = 'admin' and o.disabled_at is null)
            order by o.id for update`,
    values: [id],
  });
  return {
    operator: rows.find((row) => row.id === id),
    otherAdmins: rows.filter((row) => row.id !== id && row.role === "admin" && !row.disabled).length,
  };
}

/** @returns false when the e-mail belongs to somebody already */
export async function insertOperator(
  tx: Queryable,
  row: { readonly id: string; readonly email: string; readonly name: string; readonly role: string | undefined },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    text: `insert into onceboard.operators (id, name, email, email_verified, role) values ($1, $2, $3, true, $4)
           on conflict (email) do nothing`,
    values: [row.id, row.name, row.email, row.role ?? null],
  });
  return rowCount === 1;
}

/** In which zone an operator reads times. @returns the zone before; undefined when there is no such operator */
export async function setOperatorZone(tx: Queryable, id: string, zone: string): Promise<string | undefined> {
  const { rows } = await tx.query<{ before: string }>({
    text: `with was as (select id, time_zone from onceboard.operators where id = $1 for update)
           update onceboard.operators o set time_zone = $2, updated_at = clock_timestamp()
             from was
            where o.id = was.id
           returning was.time_zone as before`,
    values: [id, zone],
  });
  return rows[0]?.before;
}

/** Shuts an operator out, or lets them in again. Shutting out ends sessions, the link that is open and the tie to the OIDC issuer. */
export async function setOperatorDisabled(tx: Queryable, id: string, disabled: boolean): Promise<void> {
  await tx.query({
    text: `with operator as (
             update onceboard.operators set updated_at = clock_timestamp(),
               disabled_at = case when $2 then clock_timestamp() end
              where id = $1
             returning id
           ), untied as (
             delete from onceboard.operator_accounts where $2 and provider_id = 'oidc' and user_id in (select id from operator)
           ), ended as (
             delete from onceboard.sessions where $2 and user_id in (select id from operator)
           )
           delete from onceboard.verifications where $2 and id in (select 'invitation:' || id from operator)`,
    values: [id, disabled],
  });
}

/** Takes the second factor off: secret and backup codes are deleted, sessions end. @returns whether one was on or begun */
export async function removeTwoFactor(tx: Queryable, id: string): Promise<boolean> {
  const { rows } = await tx.query<{ removed: boolean }>({
    text: `with factor as (
             delete from onceboard.two_factors where user_id = $1 returning id
           ), operator as (
             update onceboard.operators set two_factor_enabled = false, updated_at = clock_timestamp()
              where id = $1 and two_factor_enabled
             returning id
           ), ended as (
             delete from onceboard.sessions where user_id in (select id from operator)
           )
           select exists (select from factor) or exists (select from operator) as removed`,
    values: [id],
  });
  return rows[0]?.removed === true;
}

export interface NewOperatorRow {
  /** Taken when the e-mail is new. */
  readonly newId: string;
  /** Lower case. */
  readonly email: string;
  readonly role: string;
  /** Where the role is for; undefined: all tenants. */
  readonly tenantId: string | undefined;
  readonly name: string | undefined;
  readonly passwordHash: string;
}

/**
 * Makes an operator or gives the one with this e-mail a new role, in one tenant or on all, a password and, if said, a name; lets
 * them in again; and ends their sessions, all in one statement. Other grants stay. The account's id follows from the operator's, so two at once leave one account.
 */
export async function upsertOperatorRow(db: Queryable, row: NewOperatorRow): Promise<{ id: string; created: boolean }> {
  const { rows } = await db.query<{ id: string; created: boolean }>({
    text: `with operator as (
             insert into onceboard.operators as o (id, name, email, email_verified, role)
             values ($1, coalesce($4, split_part($2, '@', 1)), $2, true, case when $6::text is null then $3 end)
             on conflict (email) do update set
               role = case when $6::text is null then excluded.role else o.role end, name = coalesce($4, o.name), disabled_at = null, updated_at = clock_timestamp()
             returning id, (xmax = 0) as created
           ), granted as (
             insert into onceboard.operator_grants (operator_id, tenant_id, role)
             select id, $6, $3 from operator where $6::text is not null
             on conflict (operator_id, tenant_id) do update set role = excluded.role, granted_at = clock_timestamp()
           ), account as (
             insert into onceboard.operator_accounts (id, account_id, provider_id, user_id, password)
             select id || ':credential', id, 'credential', id, $5 from operator
             on conflict (id) do update set password = excluded.password, updated_at = clock_timestamp()
           ), ended as (
             delete from onceboard.sessions where user_id in (select id from operator)
           )
           select id, created from operator`,
    values: [row.newId, row.email, row.role, row.name ?? null, row.passwordHash, row.tenantId ?? null],
  });
  const operator = rows[0];
  if (operator === undefined) throw new Error("an operator was not stored");
  return operator;
}

export interface RoleChange {
  readonly operatorId: string;
  readonly email: string;
  readonly was: string;
}

/** Gives the operator behind an account of the OIDC issuer the role that the issuer names; the last admin who may sign in stays one, and who has no role on all tenants gets none. @returns who got another role, and which they had */
export async function setOidcRole(db: Queryable, subject: string, role: string): Promise<RoleChange | undefined> {
  const { rows } = await db.query<RoleChange>({
    text: `update onceboard.operators o set role = $2, updated_at = clock_timestamp()
             from onceboard.operator_accounts a join onceboard.operators w on w.id = a.user_id
            where a.provider_id = 'oidc' and a.account_id = $1 and o.id = a.user_id and o.role <> $2
              and (o.role <> 'admin'
                   or exists (select from onceboard.operators b
                               where b.id <> o.id and b.role = 'admin' and b.disabled_at is null))
           returning o.id as "operatorId", o.email, w.role as was`,
    values: [subject, role],
  });
  return rows[0];
}

/** Gives them that role in those of some tenants in which they have one. @returns who got another role, and which they had */
export async function setOidcTenantRoles(
  db: Queryable,
  {
    subject,
    role,
    tenantIds,
  }: { readonly subject: string; readonly role: string; readonly tenantIds: readonly string[] },
): Promise<RoleChange | undefined> {
  const { rows } = await db.query<RoleChange>({
    text: `with was as (
             select g.operator_id, g.tenant_id, g.role from onceboard.operator_grants g
               join onceboard.operator_accounts a on a.user_id = g.operator_id and a.provider_id = 'oidc' and a.account_id = $1
              where g.tenant_id = any ($3::text[]) and g.role <> $2
                for update of g
           ), changed as (
             update onceboard.operator_grants g set role = $2, granted_at = clock_timestamp()
               from was where (g.operator_id, g.tenant_id) = (was.operator_id, was.tenant_id)
           )
           select o.id as "operatorId", o.email, string_agg(distinct was.role, ', ') as was
             from was join onceboard.operators o on o.id = was.operator_id
            group by o.id, o.email`,
    values: [subject, role, tenantIds],
  });
  return rows[0];
}
