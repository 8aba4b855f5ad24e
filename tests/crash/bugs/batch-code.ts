import type { CodeBug } from "./bug";
import type { SeamQuery } from "../child/seams";

/** Bugs in what several callers share; what each of them does wrong stands in the catalogue. */

interface Numbered {
  readonly rows: readonly { readonly row_number: number }[];
}

const ONE_MORE = 1;

/** A batch that is refused: its members claim alone, at the same moment. */
export function claimsAlone(): CodeBug {
  const refused = Object.assign(new Error("no claims together"), { code: "22023" });
  return { instead: { claim_many: () => Promise.reject(refused) } };
}

/** The first two of a batch get each other's verdict. */
export function answersTheNeighbour(): CodeBug {
  return {
    instead: {
      async claim_many(run) {
        const result = (await run()) as Numbered;
        const swapped = new Map([
          [1, 2],
          [2, 1],
        ]);
        const rows = result.rows.map((row) => ({ ...row, row_number: swapped.get(row.row_number) ?? row.row_number }));
        return { ...result, rows };
      },
    },
  };
}

/** The last of a batch is not sent, and told that it was. */
export function losesAMember(): CodeBug {
  return {
    instead: {
      async complete_many(run, query) {
        const result = (await run({ name: "complete_many", text: query.text, values: withoutLast(query) })) as Numbered;
        return { ...result, rows: [...result.rows, { row_number: result.rows.length + ONE_MORE }] };
      },
    },
  };
}

function withoutLast({ values }: SeamQuery): unknown[] {
  return values.map((value) => (Array.isArray(value) ? value.slice(0, -1) : value));
}

/** What a member writes is written once more, as by a repetition that nothing undid. */
export function runsAMemberTwice(): CodeBug {
  let together = false;
  return {
    instead: {
      claim_many(run) {
        together = true;
        return run();
      },
      async insert_account(run, query) {
        const done = await run();
        const [tenant, id, ...rest] = query.values;
        if (together) await run({ text: query.text, values: [tenant, `${String(id)} again`, ...rest] });
        return done;
      },
    },
  };
}
