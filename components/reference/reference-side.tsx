import { ButtonLink } from "@/components/ui/button";
import { DataList } from "@/components/ui/data-list";
import { Section } from "@/components/ui/section";
import { Id } from "@/components/ui/values/id";
import { Time } from "@/components/ui/values/time";
import type { ReferenceAction, ReferenceView } from "@/presentation/views/references";
import styles from "./reference.module.css";

/** Facts of the reference, and what may be done. */
export function ReferenceSide({ view }: { readonly view: ReferenceView }) {
  const { at, reference, customers, clients, facts, openUntil, actions } = view;
  return (
    <>
      <Section quiet title="Facts" space="none">
        <DataList
          items={[
            { name: "Reference", value: <Id value={reference} strong mark /> },
            customers.length > 0 && {
              name: customers.length === 1 ? "Customer" : "Customers",
              value: customers.length === 1 ? <Id value={customers[0] ?? ""} /> : String(customers.length),
            },
            clients.length > 0 && { name: clients.length === 1 ? "Client" : "Clients", value: clients.join(", ") },
            ...facts.map(({ label, value }) => ({ name: label, value })),
            openUntil !== undefined && {
              name: Date.parse(openUntil) > Date.parse(at) ? "Keys open until" : "Keys ended",
              value: <Time at={openUntil} now={at} form="day" />,
            },
          ]}
        />
      </Section>
      <Section quiet title="Actions">
        <ul className={styles["actions"]}>
          {actions.map((action) => (
            <Action key={action.id} action={action} />
          ))}
          <Action
            action={{
              id: "again",
              label: "Charge again",
              effect: "",
              whyNot: "Never offered here.",
            }}
          />
        </ul>
      </Section>
    </>
  );
}

function Action({ action: { label, effect, href, verb, whyNot } }: { readonly action: ReferenceAction }) {
  return (
    <li>
      <div>
        <b className="strong block">{label}</b>
        {effect !== "" && <span className="note">{effect}</span>}
      </div>
      {href === undefined ? (
        <span className="note">{whyNot}</span>
      ) : (
        <ButtonLink small href={href}>
          {verb ?? "Open"}
        </ButtonLink>
      )}
    </li>
  );
}
