import type { Queryable } from "@/db/client";

/** How many rows of a view were in a state: `<view>:<state>`. */
export interface SampleRow {
  readonly measure: string;
  readonly at: Date;
  readonly value: bigint;
  /** Counting stopped there. */
  readonly atLeast: boolean;
}

/** Keeps what was counted at one moment, by the clock of this database. */
export async function insertSamples(
  q: Queryable,
  tenantId: string,
  attachmentId: string,
  samples: readonly Omit<SampleRow, "at">[],
): Promise<void> {
  if (samples.length === 0) return;
  await q.query({
    name: "attached_samples_insert",
    text: `insert into onceboard.attached_samples (tenant_id, attachment_id, measure, at, value, at_least)
           select $1, $2, each.measure, date_trunc('milliseconds', statement_timestamp()), each.value, each.at_least
             from unnest($3::text[], $4::bigint[], $5::boolean[]) as each (measure, value, at_least)
           on conflict do nothing`,
    values: [
      tenantId,
      attachmentId,
      samples.map(({ measure }) => measure),
      samples.map(({ value }) => value.toString()),
      samples.map(({ atLeast }) => atLeast),
    ],
  });
}

/** The last sample of each part of a time, by each measure: at most one for each bucket. @param measures that are read, nothing else */
export async function selectSamples(
  q: Queryable,
  tenantId: string,
  attachmentId: string,
  { measures, from, bucketSeconds }: SampleTime,
): Promise<readonly SampleRow[]> {
  const { rows } = await q.query<Omit<SampleRow, "value"> & { value: string }>({
    name: "attached_samples_by_bucket",
    text: `select distinct on (measure, floor(extract(epoch from at - $4::timestamptz) / $5))
                  measure, at, value::text, at_least as "atLeast"
             from onceboard.attached_samples
            where tenant_id = $1 and attachment_id = $2 and measure = any($3) and at >= $4::timestamptz
            order by measure, floor(extract(epoch from at - $4::timestamptz) / $5), at desc`,
    values: [tenantId, attachmentId, measures, from, bucketSeconds],
  });
  return rows.map((row) => ({ ...row, value: BigInt(row.value) }));
}

interface SampleTime {
  readonly measures: readonly string[];
  readonly from: Date;
  readonly bucketSeconds: number;
}

/** The last sample of each measure, however old. */
export async function selectLastSamples(
  q: Queryable,
  tenantId: string,
  attachmentId: string,
  measures: readonly string[],
): Promise<readonly SampleRow[]> {
  const { rows } = await q.query<Omit<SampleRow, "value"> & { value: string }>({
    name: "attached_samples_last",
    text: `select last.measure, last.at, last.value::text, last.at_least as "atLeast"
             from unnest($3::text[]) as asked (measure)
            cross join lateral (select * from onceboard.attached_samples
                                 where tenant_id = $1 and attachment_id = $2 and measure = asked.measure
                                 order by at desc limit 1) as last`,
    values: [tenantId, attachmentId, measures],
  });
  return rows.map((row) => ({ ...row, value: BigInt(row.value) }));
}

/** How old the newest sample of an attachment is, ms. @returns undefined where there is none */
export async function sampleAge(
  q: Queryable,
  tenantId: string,
  attachmentId: string,
  measures: readonly string[],
): Promise<number | undefined> {
  const { rows } = await q.query<{ ms: number | null }>({
    name: "attached_samples_age",
    text: `select (extract(epoch from statement_timestamp() - max(last.at)) * 1000)::float8 as ms
             from unnest($3::text[]) as asked (measure)
            cross join lateral (select at from onceboard.attached_samples
                                 where tenant_id = $1 and attachment_id = $2 and measure = asked.measure
                                 order by at desc limit 1) as last`,
    values: [tenantId, attachmentId, measures],
  });
  return rows[0]?.ms ?? undefined;
}

/**
 * Deletes samples that are too old, also of attachments that were removed; each measure by its index.
 *
 * @param most of each measure in one step
 * @returns how many were deleted
 */
export async function deleteOldSamples(
  q: Queryable,
  tenantId: string,
  { measures, days, most }: { readonly measures: readonly string[]; readonly days: number; readonly most: number },
): Promise<number> {
  const { rowCount } = await q.query({
    name: "attached_samples_delete",
    text: `delete from onceboard.attached_samples as gone
            using onceboard.attachments as of,
                  unnest($2::text[]) as asked (measure),
                  lateral (select at from onceboard.attached_samples
                            where tenant_id = $1 and attachment_id = of.id and measure = asked.measure
                              and at < statement_timestamp() - make_interval(days => $3)
                            order by at limit $4) as old
            where of.tenant_id = $1
              and gone.tenant_id = $1 and gone.attachment_id = of.id and gone.measure = asked.measure and gone.at = old.at`,
    values: [tenantId, measures, days, most],
  });
  return rowCount ?? 0;
}
