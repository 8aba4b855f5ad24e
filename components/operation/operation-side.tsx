import Link from "next/link";
import { DialogLink } from "@/components/ui/place-link";
import { DataList } from "@/components/ui/data-list";
import { Id } from "@/components/ui/values/id";
import { Section } from "@/components/ui/section";
import type { ActionName } from "@/presentation/views/common";
import type { OperationDetail } from "@/presentation/views/operations";
import styles from "./operation.module.css";

export interface OperationSideProps {
  readonly operation: OperationDetail;
}

/** Opened by a dialog of their own; settling has its box. */
const DIALOGS: Readonly<Partial<Record<ActionName, string>>> = {
  reconcile: "reconcile",
  release: "release",
  purge_body: "purge",
  reveal_bodies: "reveal",
};
const OTHER: readonly ActionName[] = ["reconcile", "release", "purge_body", "reveal_bodies", "send_again"];

/** Every name of the operation, the rules it runs under, and what else may be done. */
export function OperationSide({ operation }: OperationSideProps) {
  const boxed = operation.evidence !== undefined;
  const others = operation.actions.filter(({ action }) => OTHER.includes(action) && !(boxed && action === "reconcile"));
  return (
    <>
      <Section title="Names of this operation">
        <DataList
          items={operation.names.map((name) => ({
            name: name.label,
            value: name.value === undefined ? (name.none ?? "none") : <Id value={name.value} mark />,
          }))}
        />
      </Section>
      <Section quiet title="Policy" right={<Link href={`/policies#${operation.operation}`}>all of it</Link>}>
        <DataList items={operation.policy.map((fact) => ({ name: fact.label, value: fact.value }))} />
      </Section>
      <Section quiet title="Other actions">
        <div className={styles["actions"]}>
          {others.map((action) => {
            const dialog = DIALOGS[action.action];
            return (
              <div key={action.action}>
                <span>{action.label}</span>
                {action.allowed && dialog !== undefined ? (
                  <DialogLink small dialog={dialog}>
                    {dialog === "reveal"
                      ? "Show"
                      : dialog === "purge"
                        ? "Purge"
                        : dialog === "release"
                          ? "Release"
                          : "Ask"}
                  </DialogLink>
                ) : (
                  <span>{action.whyNot ?? "Not offered."}</span>
                )}
              </div>
            );
          })}
        </div>
      </Section>
    </>
  );
}
