import { Fragment } from "react";
import styles from "./masked.module.css";

/** A value that is not shown here: to nobody, not to this person, or because it is gone. */
export function Masked() {
  return (
    <span className={styles["masked"]} title="Not shown here.">
      ••••
    </span>
  );
}

interface CodeLine {
  readonly name: string;
  /** Undefined: masked. */
  readonly value?: string | undefined;
  readonly note?: string | undefined;
}

/** A command or a body: mono on sunken ground. */
export function CodeBlock({ lines }: { readonly lines: readonly CodeLine[] }) {
  return (
    <div className="code" tabIndex={0} role="region" aria-label="Body">
      {lines.map((line) => (
        <div key={line.name} className={styles["line"]}>
          <span>
            {line.name.split(/(?<=\.)/).map((part, index) => (
              <Fragment key={index}>
                {index > 0 && <wbr />}
                {part}
              </Fragment>
            ))}
          </span>
          {line.value === undefined ? <Masked /> : <b>{line.value}</b>}
          {line.note !== undefined && <i>{line.note}</i>}
        </div>
      ))}
    </div>
  );
}
