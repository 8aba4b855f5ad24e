import { useSyncExternalStore, type ComponentProps } from "react";
import styles from "./sign-in-form.module.css";

const noChange = () => () => undefined;

/** False on the server and until the page answers to keys: a form sent before that would leave the page. */
export function useReady(): boolean {
  return useSyncExternalStore(
    noChange,
    () => true,
    () => false,
  );
}

interface AuthFieldProps extends ComponentProps<"input"> {
  readonly id: string;
  readonly label: string;
  readonly invalid: boolean;
}

export function AuthField({ label, invalid, children, ...input }: AuthFieldProps) {
  return (
    <div className={styles["field"]}>
      <label htmlFor={input.id}>{label}</label>
      <input {...input} required aria-invalid={invalid} />
      {children}
    </div>
  );
}
