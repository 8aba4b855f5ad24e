import { Link } from "@/components/ui/link";
import type { PolicyField } from "@/domain/idempotency/policy";
import { NotOffered, whyNotOffered } from "@/components/feedback/not-offered";
import { column, SimpleTable } from "@/components/table/simple-table";
import { PageHead } from "@/components/ui/page-head";
import { Section } from "@/components/ui/section";
import type { Clauses } from "@/components/ui/verdict";
import { riskOf, shownSetting } from "@/presentation/policy/policy-words";
import type { OperationPolicyView, PoliciesView as View } from "@/presentation/views/policies";
import { plural } from "@/presentation/format/words";
import { OperationPolicy } from "./operation-policy";

export function PoliciesView({ view }: { readonly view: View }) {
  return (
    <>
      <PageHead
        verdict={clauses(view.operations)}
        lede={
          <>
            A change is in force in every process within {plural(view.everywhereAfterSeconds, "second")}. A key that is
            claimed already keeps its window, and an answer that is kept stays as it is; how a retry is told reaches
            older keys at once.
          </>
        }
      />
      <NotOffered why={whyNotOffered(view.change)} />
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

function clauses(operations: readonly OperationPolicyView[]): Clauses {
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
    risks > 0 && { text: `${plural(risks, "risky choice")}.`, tone: "doubt" },
    broken > 0 && { text: `${plural(broken, "contradiction")}.`, tone: "broken" },
  ];
}

function AtAGlance({ operations }: { readonly operations: readonly OperationPolicyView[] }) {
  return (
    <Section title="At a glance" space="small">
      <SimpleTable<OperationPolicyView>
        label="Policies at a glance"
        rows={operations}
        idOf={({ operation }) => operation}
        columns={[
          column({ header: "Operation" }, ({ operation, kind }) => (
            <Link href={`#${operation}`} data-plain>
              {kind}
            </Link>
          )),
          column({ header: "Decided here", align: "right" }, (view) =>
            own(view) === 0 ? <span className="quiet">nothing</span> : String(own(view)),
          ),
          column({ header: "A key stands for", align: "right", phone: "hidden" }, ({ policy }) =>
            shownSetting("ttlHours", policy.ttlHours),
          ),
          column({ header: "After that", phone: "full" }, shown("expired")),
          column({ header: "Another command", phone: "hidden" }, shown("mismatchStatus")),
          column({ header: "Second request meanwhile", phone: "hidden" }, shown("inFlight")),
          column({ header: "A replay gives", phone: "hidden" }, shown("replay")),
        ]}
      />
    </Section>
  );
}

const shown = (field: PolicyField) =>
  function Shown({ policy, provider }: OperationPolicyView) {
    const risky = riskOf(field, policy, provider) !== undefined;
    return (
      <span data-tone={risky ? "doubt" : undefined} className="toned">
        {shownSetting(field, policy[field])}
      </span>
    );
  };
