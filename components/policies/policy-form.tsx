"use client";

import type { SubmitEvent } from "react";
import { PolicyDecide, type PolicyFormProps } from "./policy-decide";
import { PolicyFields } from "./policy-fields";
import { usePolicyForm } from "./use-policy-form";
import styles from "./policies.module.css";

/** Deciding otherwise for one operation: the effect and what changes are said while it is typed; the server decides. */
export function PolicyForm(props: PolicyFormProps) {
  const { view, notOffered, providerTimeoutMs } = props;
  const form = usePolicyForm(view);
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const reason = new FormData(event.currentTarget).get("reason");
    form.send(typeof reason === "string" ? reason.trim() : "");
  };
  return (
    <form className={styles["form"]} onSubmit={submit} aria-label={`Policy of ${view.operation}`}>
      <div>
        <PolicyFields view={view} form={form} off={notOffered !== undefined} providerTimeoutMs={providerTimeoutMs} />
      </div>
      <div className={styles["decide"]}>
        <PolicyDecide {...props} form={form} />
      </div>
    </form>
  );
}
