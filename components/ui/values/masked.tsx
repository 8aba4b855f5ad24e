import styles from "./masked.module.css";

/** A value that is kept but not shown to this person. `hint` says how much of it there is. */
export function Masked({ hint }: { readonly hint?: string | undefined }) {
  return (
    <span className={styles["masked"]} title="Masked. Show bodies to read it; that is audited.">
      ••••{hint}
    </span>
  );
}

export interface CodeBlockProps {
  /** Lines of names and values; a value of `undefined` is masked. */
  readonly lines?:
    | readonly { readonly name: string; readonly value?: string | undefined; readonly note?: string | undefined }[]
    | undefined;
  /** Plain text instead of lines. */
  readonly text?: string | undefined;
}

/** A command or a body: mono on sunken ground. */
export function CodeBlock({ lines = [], text }: CodeBlockProps) {
  return (
    <div className={styles["code"]} tabIndex={0} role="region" aria-label="Body">
      {text}
      {lines.map((line) => (
        <div key={line.name} className={styles["line"]}>
          <span>{line.name}</span>
          {line.value === undefined ? <Masked /> : <b>{line.value}</b>}
          {line.note !== undefined && <i>{line.note}</i>}
        </div>
      ))}
    </div>
  );
}
