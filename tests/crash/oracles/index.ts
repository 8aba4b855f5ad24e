import { ANSWER_ORACLES } from "./answers";
import { MESSAGE_ORACLES } from "./messages";
import type { Oracle } from "./oracle";
import { ROW_ORACLES } from "./rows";

const numberOf = ({ id }: Oracle): number => Number(id.slice(1));

export const ORACLES: readonly Oracle[] = [...ANSWER_ORACLES, ...ROW_ORACLES, ...MESSAGE_ORACLES].sort(
  (one, other) => numberOf(one) - numberOf(other),
);

export function oracleOf(id: string): Oracle {
  const oracle = ORACLES.find((each) => each.id === id);
  if (oracle === undefined) throw new Error(`There is no oracle ${id}.`);
  return oracle;
}
