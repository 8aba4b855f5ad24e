/** A sentence as a pattern, and what it means in SQL; `c` is what the pattern captured. */
export type RowMeaning = readonly [sentence: string, sql: string];
/** Whether the SQL of a meaning holds, for what the sentence captured. */
export type Ask = (sql: string, captured: readonly (string | null)[]) => Promise<boolean>;

/** Holds sentences against rows: each must have exactly one meaning, which is so; and it knows which were never said. */
export function holder(meanings: readonly RowMeaning[]) {
  const met = new Set<string>();
  return {
    /** @returns what is wrong with it; undefined: it is so */
    async wrong(text: string, ask: Ask): Promise<string | undefined> {
      const found = meanings.flatMap(([sentence, sql]) => {
        const captured = new RegExp(sentence).exec(text)?.slice(1);
        return captured === undefined ? [] : [{ sentence, sql, captured }];
      });
      const [only] = found;
      if (only === undefined || found.length > 1) return `${String(found.length)} meanings: ${text}`;
      met.add(only.sentence);
      const captured = only.captured.map((each) => (each as string | undefined) ?? null);
      return (await ask(only.sql, captured)) ? undefined : `not so: ${text}`;
    },
    neverSaid: (): readonly string[] => meanings.flatMap(([sentence]) => (met.has(sentence) ? [] : [sentence])),
  };
}

/** "1,200", and "4+" of a count that was stopped; `few` is also said as a word. */
export const SAID_COUNT = String.raw`([\d,]+\+?)`;
/** The number that was captured is the number of the rows; a stopped count is no more than it. */
export function isCount(captured: string, rows: string): string {
  const said = `replace(rtrim(${captured}, '+'), ',', '')::bigint`;
  return `case when ${captured} like '%+' then ${rows} >= ${said} else ${rows} = ${said} end`;
}
/** The bytes that were captured, as a page rounds them. */
export const SAID_BYTES = String.raw`([\d.]+) (bytes?|KB|MB)`;
export function isBytes(captured: string, unit: string, rows: string): string {
  const size = `case ${unit} when 'KB' then 1000 when 'MB' then 1000000 else 1 end`;
  return `abs(${rows} - ${captured}::numeric * ${size}) <= case when ${unit} like 'byte%' then 0 else ${size} * 0.5 end`;
}
