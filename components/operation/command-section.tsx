import { CodeBlock } from "@/components/ui/values/masked";
import { PlaceLink } from "@/components/ui/place-link";
import { Section } from "@/components/ui/section";
import type { OperationDetail } from "@/presentation/views/operations";
import styles from "./operation.module.css";

const WITHOUT_BODY: Readonly<Record<Exclude<OperationDetail["command"]["body"], "masked">, string>> = {
  purged: "The body was purged when its time was over. The fingerprint still tells another command apart.",
  elsewhere: "Kept by the service itself. The fingerprint tells another command apart.",
  unreadable: "The body is stored, but no key of this deployment opens it.",
};

export interface CommandSectionProps {
  readonly operation: OperationDetail;
}

/** The command as it was understood; what is not on the list of plain fields is dots until somebody gives a reason. */
export function CommandSection({ operation }: CommandSectionProps) {
  const { command } = operation;
  const reveal = operation.actions.find(({ action }) => action === "reveal_bodies");
  return (
    <Section
      quiet
      space="small"
      title="Command"
      note={`fingerprint v${String(command.fingerprintVersion)} ${command.fingerprint}, ${command.body}`}
      right={
        reveal?.allowed === true ? <PlaceLink place={{ dialog: "reveal" }}>Show bodies</PlaceLink> : reveal?.whyNot
      }
    >
      {command.body === "masked" ? (
        <CodeBlock
          lines={[
            { name: "operation", value: operation.operation },
            { name: "api", value: command.apiVersion },
            ...command.fields.map((field) => ({
              name: field.name,
              value: field.masked ? undefined : field.value,
              note: field.defaulted ? "(default)" : undefined,
            })),
          ]}
        />
      ) : (
        <p className={styles["nothing"]}>{WITHOUT_BODY[command.body]}</p>
      )}
    </Section>
  );
}
