import { applyFunctions, readFunctions } from "@/db/apply-functions";
import type { Database } from "@/db/client";

/** One function with a part of its text changed. */
export interface TextChange {
  /** Name of the SQL function. */
  readonly function: string;
  readonly from: RegExp;
  readonly to: string;
}

/** A planted bug of the database: what a careless migration or a careless function would be. */
export interface SqlBug {
  readonly before?: string;
  readonly changes: readonly TextChange[];
}

const KEY_CONSTRAINT =
  "alter table onceboard.idempotency_requests drop constraint idempotency_requests_tenant_id_operation_key_pk";
const OPEN_FENCE = / and o\.fence = p_fence/;
const REQUEST_FENCE = /and r\.fence = p_fence and r\.state in \('IN_PROGRESS', 'UNKNOWN_REQUIRES_RECOVERY'\)/;

const INBOX_FENCE = / and o\.fence = said\.fence and o\.owner is not null/;
const INBOX_DEDUPE = /on conflict \(tenant_id, consumer, source, message_id\) do nothing/;
const INBOX_DONE = /from done where m\.tenant_id/;
/** What the caller says is done, whether it waited or not. */
const INBOX_FAILURE = `from (select s.id, s.fence, s.result, 1 as attempts_started, 0 as attempts_finished
    from unnest(p_ids, p_fences, p_results) as s(id, fence, result)) done where m.tenant_id`;
const OUTBOX_FENCE = / and m\.fence = done\.fence and m\.owner is not null and m\.state = 'pending'/;

/** Bugs on the way of a message. */
const MESSAGE_BUGS: Readonly<Record<string, SqlBug>> = {
  finish_without_fence: {
    changes: [
      { function: "finish_inbox", from: INBOX_FENCE, to: "" },
      { function: "finish_inbox", from: INBOX_DONE, to: INBOX_FAILURE },
    ],
  },
  publish_without_fence: { changes: [{ function: "publish_outbox", from: OUTBOX_FENCE, to: "" }] },
  no_dedupe_index: {
    before: "drop index onceboard.inbox_messages_dedupe",
    changes: [
      { function: "receive", from: INBOX_DEDUPE, to: "" },
      { function: "receive_all", from: INBOX_DEDUPE, to: "" },
    ],
  },
  head_not_looked_at: {
    changes: [{ function: "claim_outbox", from: /and b\.state <> 'discarded'/, to: "and false" }],
  },
  live_lease_of_a_message: {
    changes: [
      { function: "claim_inbox", from: /and \(d\.locked_until is null or d\.locked_until <= v_now\)/, to: "" },
      { function: "claim_outbox", from: /and \(d\.locked_until is null or d\.locked_until <= v_now\)/, to: "" },
    ],
  },
  dead_without_a_letter: {
    changes: [{ function: "keep_failed_attempt", from: /if p_dead then/, to: "if false then" }],
  },
};

export const SQL_BUGS: Readonly<Record<string, SqlBug>> = {
  ...MESSAGE_BUGS,
  no_unique_key: { before: KEY_CONSTRAINT, changes: [] },
  claim_reads_then_inserts: {
    before: KEY_CONSTRAINT,
    changes: [
      {
        function: "claim",
        from: /values \(\s*(p_tenant, p_operation, p_key, p_operation_id[\s\S]*?)\)\s*on conflict do nothing/,
        // The moment between the look and the write is what a second round trip takes.
        to: `select $1 from pg_sleep(0.02) where not exists (
          select 1 from onceboard.idempotency_requests x
          where x.tenant_id = p_tenant and x.operation = p_operation and x.key = p_key)`,
      },
    ],
  },
  complete_without_fence: {
    changes: [
      { function: "complete", from: OPEN_FENCE, to: "" },
      {
        function: "complete",
        from: REQUEST_FENCE,
        to: "and r.state in ('IN_PROGRESS', 'UNKNOWN_REQUIRES_RECOVERY')",
      },
    ],
  },
  complete_by_id_alone: {
    changes: [
      { function: "complete", from: OPEN_FENCE, to: "" },
      { function: "complete", from: REQUEST_FENCE, to: "" },
      {
        function: "complete",
        from: /if not found then\s+raise exception 'operation % is not ours any more'[\s\S]*?end if;/,
        to: "",
      },
      {
        function: "complete",
        from: /and r\.operation = v_open\.operation and r\.key = v_open\.key/,
        to: "and r.operation_id = p_operation_id",
      },
    ],
  },
  mark_sent_without_fence: { changes: [{ function: "mark_sent", from: OPEN_FENCE, to: "" }] },
  take_over_keeps_fence: {
    changes: [{ function: "take_over", from: /set fence = o\.fence \+ 1,/, to: "set fence = o.fence," }],
  },
  lease_by_app_clock: {
    // A worker that decides by its own clock, which is an hour ahead.
    changes: [
      {
        function: "take_over",
        from: /o\.locked_until <= v_now or/,
        to: "o.locked_until <= v_now + interval '1 hour' or",
      },
    ],
  },
  purged_key_runs_again: {
    changes: [
      {
        function: "claim",
        from: /elsif v_row\.state = 'FAILED_RETRYABLE' then/,
        to: "elsif v_row.state = 'FAILED_RETRYABLE' or v_row.body_purged_at is not null then",
      },
      {
        function: "claim",
        from: /and r\.state = 'FAILED_RETRYABLE' and r\.fence = v_row\.fence/,
        to: "and r.fence = v_row.fence",
      },
    ],
  },
  replay_says_200: {
    changes: [
      {
        function: "claim",
        from: /(return query select v_outcome,[\s\S]*?)v_row\.response_status/,
        to: "$1 (case when v_outcome = 'replay' then 200 else v_row.response_status end)::smallint",
      },
    ],
  },
  unknown_frees_the_key: {
    changes: [
      {
        function: "mark_unknown",
        from: /set state = 'UNKNOWN_REQUIRES_RECOVERY'/,
        to: "set state = 'FAILED_RETRYABLE'",
      },
      {
        function: "mark_unknown",
        from: /return true;/,
        to: "delete from onceboard.idempotency_open o where o.tenant_id = p_tenant and o.operation_id = p_operation_id;\n  return true;",
      },
    ],
  },
  fingerprint_not_compared: {
    changes: [{ function: "claim", from: /elsif v_row\.fingerprint <> p_fingerprint then/, to: "elsif false then" }],
  },
};

/** @throws Error when a part is not found: then the function has changed, and the bug must follow it */
export async function plant(db: Database, name: string): Promise<void> {
  const bug = SQL_BUGS[name];
  if (bug === undefined) throw new Error(`There is no planted bug ${name}.`);
  const left = new Set(bug.changes);
  const files = readFunctions().map((file) => {
    let { text } = file;
    for (const change of bug.changes.filter((each) => each.function === file.name)) {
      if (!change.from.test(text))
        throw new Error(`${name}: ${file.file} does not have ${String(change.from)} any more`);
      text = text.replace(change.from, change.to);
      left.delete(change);
    }
    return { ...file, text };
  });
  if (left.size > 0)
    throw new Error(`${name}: there is no function ${[...left].map((each) => each.function).join(", ")}`);
  const client = await db.pool.connect();
  try {
    if (bug.before !== undefined) await client.query(bug.before);
    await applyFunctions(client, files);
  } finally {
    client.release();
  }
}
