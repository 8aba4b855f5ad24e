import type { Queryable } from "@/db/client";

export interface InvitationUse {
  readonly operatorId: string;
  /** SHA-256 (hex) of the secret of the link. */
  readonly secretHash: string;
  readonly passwordHash: string;
}

/**
 * Uses a link up and gives its operator the password, all in one statement: of two at once one finds it. Their sessions end.
 *
 * @returns the operator's e-mail; undefined when the link is unknown, used, too old, or its operator is disabled
 */
export async function spendInvitation(db: Queryable, use: InvitationUse): Promise<string | undefined> {
  const { rows } = await db.query<{ email: string }>({
    text: `with used as (
             delete from onceboard.verifications
              where id = 'invitation:' || $1 and value = $2 and expires_at > clock_timestamp()
             returning id
           ), operator as (
             select o.id, o.email from onceboard.operators o, used where o.id = $1 and o.disabled_at is null
           ), account as (
             insert into onceboard.operator_accounts (id, account_id, provider_id, user_id, password)
             select id || ':credential', id, 'credential', id, $3 from operator
             on conflict (id) do update set password = excluded.password, updated_at = clock_timestamp()
           ), ended as (
             delete from onceboard.sessions where user_id in (select id from operator)
           )
           select email from operator`,
    values: [use.operatorId, use.secretHash, use.passwordHash],
  });
  return rows[0]?.email;
}
