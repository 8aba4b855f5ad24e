import Link from "next/link";
import type { PolicyField } from "@/domain/idempotency/policy-form";
import { SimpleTable } from "@/components/table/simple-table";
import { PageHead } from "@/components/ui/page-head";
import { Note } from "@/components/ui/row";
import { Section } from "@/components/ui/section";
import { Verdict, type ClauseProps } from "@/components/ui/verdict";
import { riskOf, shownSetting } from "@/presentation/policy/policy-words";
import type { OperationPolicyView, PoliciesView as View } from "@/presentation/views/policies";
import { plural } from "@/presentation/format/words";
import { OperationPolicy } from "./operation-policy";

export function PoliciesView({ view }: { readonly view: View }) {
  return (
    <>
      <PageHead
        lede={
          <>
            A change is in force in every process within {plural(view.everywhereAfterSeconds, "second")}. A key that is
            claimed already keeps its window, and an answer that is kept stays as it is; how a retry is told reaches
            older keys at once.
          </>
        }
      >
        <Verdict clauses={clauses(view.operations)} />
      </PageHead>
      {!view.change.allowed && <Note>Not offered: {view.change.whyNot}</Note>}
      <AtAGlance operations={view.operations} />
      {view.operations.map((operation) => (
        <OperationPolicy key={operation.operation} view={operation} change={view.change} now={view.at} />
      ))}
    </>
  );
}

function own(view: OperationPolicyView): number {
  return view.settings.filter(({ from }) => from === "tenant").length;
}

function clauses(operations: readonly OperationPolicyView[]): readonly ClauseProps[] {
  const decided = operations.reduce((sum, view) => sum + own(view), 0);
  const risks = operations.flatMap(({ settings, policy, provider }) =>
    settings.filter(({ field }) => riskOf(field, policy, provider) !== undefined),
  ).length;
  const broken = operations.flatMap(({ findings }) => findings).length;
  return [
    {
      text:
        decided === 0
          ? `${plural(operations.length, "operation")}, all as the deployment decided.`
          : `${plural(operations.length, "operation")}, ${plural(decided, "setting")} decided by this tenant.`,
    },
    ...(risks === 0 ? [] : [{ text: `${plural(risks, "risky choice")}.`, tone: "doubt" as const }]),
    ...(broken === 0 ? [] : [{ text: `${plural(broken, "contradiction")}.`, tone: "broken" as const }]),
  ];
}

function AtAGlance({ operations }: { readonly operations: readonly OperationPolicyView[] }) {
  return (
    <Section title="At a glance" space="small">
      <SimpleTable
        label="Policies at a glance"
        columns={[
          { id: "operation", header: "Operation", phone: "left" },
          { id: "own", header: "Decided here", align: "right", phone: "right" },
          { id: "window", header: "A key stands for", align: "right", phone: "hidden" },
          { id: "expired", header: "After that", phone: "full" },
          { id: "mismatch", header: "Another command", phone: "hidden" },
          { id: "inFlight", header: "Second request meanwhile", phone: "hidden" },
          { id: "replay", header: "A replay gives", phone: "hidden" },
        ]}
        rows={operations.map((view) => {
          const shown = (field: PolicyField) => <Shown view={view} field={field} />;
          return {
            id: view.operation,
            cells: {
              operation: (
                <Link href={`#${view.operation}`} data-plain>
                  {view.kind}
                </Link>
              ),
              own: own(view) === 0 ? <span className="quiet">nothing</span> : String(own(view)),
              window: shownSetting("ttlHours", view.policy.ttlHours),
              expired: shown("expired"),
              mismatch: shown("mismatchStatus"),
              inFlight: shown("inFlight"),
              replay: shown("replay"),
            },
          };
        })}
      />
    </Section>
  );
}

function Shown({ view, field }: { readonly view: OperationPolicyView; readonly field: PolicyField }) {
  const risky = riskOf(field, view.policy, view.provider) !== undefined;
  return (
    <span data-tone={risky ? "doubt" : undefined} className="toned">
      {shownSetting(field, view.policy[field])}
    </span>
  );
}
