import type { Queryable } from "@/db/client";
import type { Role } from "@/domain/idempotency/states";

/** Keeps the one link that lets an operator choose a password; an older one stops working. */
export async function keepInvitation(
  db: Queryable,
  invitation: { readonly operatorId: string; readonly secretHash: string; readonly hours: number },
): Promise<void> {
  await db.query({
    text: `insert into onceboard.verifications (id, identifier, value, expires_at)
           values ('invitation:' || $1, 'invitation:' || $1, $2, clock_timestamp() + make_interval(hours => $3))
           on conflict (id) do update set
             value = excluded.value, expires_at = excluded.expires_at, updated_at = clock_timestamp()`,
    values: [invitation.operatorId, invitation.secretHash, invitation.hours],
  });
}

/** @returns whether a link still opens: it is known, not used, not too old, and its operator is not disabled */
export async function isInvitationOpen(
  db: Queryable,
  { operatorId, secretHash }: Pick<InvitationUse, "operatorId" | "secretHash">,
): Promise<boolean> {
  const { rows } = await db.query({
    text: `select 1 from onceboard.verifications v join onceboard.operators o on o.id = $1 and o.disabled_at is null
           where v.id = 'invitation:' || $1 and v.value = $2 and v.expires_at > clock_timestamp()`,
    values: [operatorId, secretHash],
  });
  return rows.length > 0;
}

export interface InvitationUse {
  readonly operatorId: string;
  /** SHA-256 (hex) of the secret of the link. */
  readonly secretHash: string;
  readonly passwordHash: string;
}

export interface InvitedPerson {
  readonly email: string;
  readonly name: string;
  readonly role: Role;
}

/**
 * Uses a link up and gives its operator the password, all in one statement: of two at once one finds it. Their sessions end.
 *
 * @returns whose it was; undefined when the link is unknown, used, too old, or its operator is disabled
 */
export async function spendInvitation(db: Queryable, use: InvitationUse): Promise<InvitedPerson | undefined> {
  const { rows } = await db.query<InvitedPerson>({
    text: `with used as (
             delete from onceboard.verifications
              where id = 'invitation:' || $1 and value = $2 and expires_at > clock_timestamp()
             returning id
           ), operator as (
             select o.id, o.email, o.name, o.role from onceboard.operators o, used where o.id = $1 and o.disabled_at is null
           ), account as (
             insert into onceboard.operator_accounts (id, account_id, provider_id, user_id, password)
             select id || ':credential', id, 'credential', id, $3 from operator
             on conflict (id) do update set password = excluded.password, updated_at = clock_timestamp()
           ), ended as (
             delete from onceboard.sessions where user_id in (select id from operator)
           )
           select email, name, role from operator`,
    values: [use.operatorId, use.secretHash, use.passwordHash],
  });
  return rows[0];
}
