"use client";

import { useId, type SubmitEvent } from "react";
import { Button } from "@/components/ui/button";
import { Section } from "@/components/ui/section";
import type { ConstantView } from "@/presentation/views/attachments";
import styles from "./setup.module.css";

interface ConstantsFormProps {
  readonly constants: readonly ConstantView[];
  readonly busy: boolean;
  readonly change: (values: Readonly<Record<string, string>>) => void;
}

/** What only the owner of the tables knows: rows and SQL wait for it. */
export function ConstantsForm({ constants, busy, change }: ConstantsFormProps) {
  if (constants.length === 0) return null;
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    change(
      Object.fromEntries(
        constants.flatMap(({ name }) => {
          const value = form.get(name);
          return typeof value === "string" && value.trim() !== "" ? [[name, value.trim()] as const] : [];
        }),
      ),
    );
  };
  return (
    <Section title="What only its owner knows" note="rows and SQL wait for what has no default" space="small">
      <form onSubmit={submit}>
        <div className={styles["fields"]}>
          {constants.map((constant) => (
            <Constant key={constant.name} constant={constant} />
          ))}
        </div>
        <div className={styles["below"]}>
          <Button type="submit" disabled={busy}>
            Use these
          </Button>
        </div>
      </form>
    </Section>
  );
}

const EXAMPLES: Readonly<Record<ConstantView["kind"], string>> = {
  integer: "10",
  zone: "Europe/Berlin",
  interval: "24 hours",
  boolean: "true",
};

function Constant({
  constant: { name, kind, says, given, problem, default: usual },
}: {
  readonly constant: ConstantView;
}) {
  const id = useId();
  return (
    <label>
      <span>{name}</span>
      <input
        className="box field"
        name={name}
        autoComplete="off"
        defaultValue={given ?? ""}
        placeholder={usual ?? `such as ${EXAMPLES[kind]}`}
        aria-describedby={id}
        aria-invalid={problem !== undefined && given !== undefined}
      />
      <small id={id} className={problem === undefined ? "quiet" : "doubt"}>
        {problem !== undefined && given !== undefined ? problem : says}
        {usual !== undefined && ` Left empty it is ${usual}.`}
      </small>
    </label>
  );
}
