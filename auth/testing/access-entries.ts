import type { TestDatabase } from "@/db/testing/test-database";

export interface KeptAccess {
  readonly action: string;
  readonly actor: string;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
  readonly reason: string | null;
  readonly request_id: string;
}

/** @returns what the access log has of the person of this e-mail, in its order */
export async function accessEntries(test: TestDatabase, email: string): Promise<KeptAccess[]> {
  const { rows } = await test.db.pool.query<KeptAccess>({
    text: `select a.action, a.actor_kind || ':' || a.actor_name as actor, a.before, a.after, a.reason, a.request_id
             from onceboard.audit_entries a join onceboard.operators o on o.id = a.subject_id
            where a.tenant_id = '@access' and a.subject_type = 'operator' and o.email = $1 order by a.sequence`,
    values: [email],
  });
  return rows;
}
