import { exactDigits, formatExact, parseExact } from "@/domain/idempotency/exact-json";
import { plural } from "@/presentation/format/words";
import { CopyText } from "./copy-text";
import styles from "./json-view.module.css";

export interface JsonViewProps {
  readonly label: string;
  /** JSON text; anything else is shown as it is. */
  readonly text: string;
  /** Levels that are open at first. */
  readonly openTo?: number | undefined;
}

const OPEN_TO = 2;
/** Members of one list or object that are drawn; the copied text has them all. */
const MAX_MEMBERS = 200;

/** A document as a tree that folds without a script, with every number in the digits it came with. */
export function JsonView({ label, text, openTo = OPEN_TO }: JsonViewProps) {
  const document = readable(text);
  return (
    <div className={styles["view"]}>
      <p className={styles["bar"]}>
        <CopyText text={document === undefined ? text : formatExact(document.value)}>Copy</CopyText>
      </p>
      <div className={styles["code"]} tabIndex={0} role="region" aria-label={label}>
        {document === undefined ? text : <Value value={document.value} depth={0} openTo={openTo} />}
      </div>
    </div>
  );
}

function readable(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: parseExact(text) };
  } catch {
    return undefined;
  }
}

interface ValueProps {
  readonly name?: string | undefined;
  readonly value: unknown;
  readonly depth: number;
  readonly openTo: number;
}

function Value({ name, value, depth, openTo }: ValueProps) {
  const label = name === undefined ? null : <span className={styles["name"]}>{name}</span>;
  const digits = exactDigits(value);
  if (digits !== undefined || typeof value !== "object" || value === null) {
    return (
      <div className={styles["leaf"]}>
        {label} <b data-kind={digits === undefined ? typeof value : "number"}>{digits ?? JSON.stringify(value)}</b>
      </div>
    );
  }
  const list = Array.isArray(value);
  const members: readonly (readonly [string, unknown])[] = list
    ? value.map((each: unknown, index) => [String(index), each] as const)
    : Object.entries(value);
  if (members.length === 0)
    return (
      <div className={styles["leaf"]}>
        {label} <b>{list ? "[]" : "{}"}</b>
      </div>
    );
  return (
    <details className={styles["node"]} open={depth < openTo}>
      <summary>
        {label} <span className={styles["size"]}>{plural(members.length, list ? "item" : "member")}</span>
      </summary>
      {members.slice(0, MAX_MEMBERS).map(([key, each]) => (
        <Value key={key} name={key} value={each} depth={depth + 1} openTo={openTo} />
      ))}
      {members.length > MAX_MEMBERS && (
        <div className={styles["leaf"]}>{plural(members.length - MAX_MEMBERS, "more", "more")}, in the copy</div>
      )}
    </details>
  );
}
