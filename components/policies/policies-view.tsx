import { Link } from "@/components/ui/link";
import { POLICY_FIELDS, type PolicyField, type PolicyOverrides } from "@/domain/idempotency/policy";
import { NotOffered, whyNotOffered } from "@/components/feedback/not-offered";
import { RowsTable, SectionTable, type RowColumn } from "@/components/table/rows-table";
import { Button, ButtonLink } from "@/components/ui/button";
import { PageHead } from "@/components/ui/page-head";
import { Section } from "@/components/ui/section";
import { Time } from "@/components/ui/values/time";
import type { Clauses } from "@/components/ui/verdict";
import { policiesClauses } from "@/presentation/policy/policy-page-claims";
import { differingSettings, effectsOfAll, settingOf, sharedSettings } from "@/presentation/policy/policy-differences";
import { riskOf } from "@/presentation/policy/policy-claims";
import {
  layerWord,
  SETTING_GROUPS,
  SETTINGS,
  settingsInWords,
  shownSetting,
  unusedBecause,
  type SettingGroup,
} from "@/presentation/policy/policy-words";
import type { OperationPolicyView, PoliciesView as View, ServicePolicyView } from "@/presentation/views/policies";
import { plural } from "@/presentation/format/words";
import styles from "./policies.module.css";

export function PoliciesView({ view }: { readonly view: View }) {
  const { operations } = view;
  return (
    <>
      <PageHead
        verdict={clauses(operations)}
        lede={
          <>
            A change is in force in every process within {plural(view.everywhereAfterSeconds, "second")}. A key that is
            claimed already keeps its window, and an answer that is kept is not rewritten; how long bodies are kept and
            how a retry is answered reach older keys too.
          </>
        }
      />
      <NotOffered why={whyNotOffered(view.change)} />
      <Operations view={view} />
      <Differences operations={operations} now={view.at} />
      {view.elsewhere.length > 0 && <Elsewhere operations={view.elsewhere} />}
      <Section
        title={operations.length === 1 ? "What a key of it does" : `The same for all ${String(operations.length)}`}
        note={operations.length === 1 ? undefined : "unless a sentence names whom it holds for"}
      >
        {SETTING_GROUPS.map((group) => (
          <Group key={group.name} group={group} operations={operations} />
        ))}
      </Section>
    </>
  );
}

function own(view: OperationPolicyView): number {
  return view.settings.filter(({ from }) => from === "tenant").length;
}

function riskCount(view: OperationPolicyView): number {
  return view.settings.filter(({ field }) => riskOf(field, view) !== undefined).length;
}

function clauses(operations: readonly OperationPolicyView[]): Clauses {
  const decided = operations.reduce((sum, view) => sum + own(view), 0);
  const risky = operations.reduce((sum, view) => sum + riskCount(view), 0);
  const broken = operations.flatMap(({ findings }) => findings).length;
  return policiesClauses({ operations: operations.length, decided, risky, contradictions: broken });
}

function Operations({ view: { operations, change, at } }: { readonly view: View }) {
  return (
    <SectionTable<OperationPolicyView>
      title="Operations"
      label="Policies of the operations"
      space="small"
      rows={operations}
      rowId={({ operation }) => operation}
      columns={{
        Operation: { wrap: true, cell: (view) => <Operation view={view} /> },
        "Set here": {
          align: "right",
          cell: (view) => (
            <>
              {own(view) === 0 ? <span className="quiet">nothing</span> : plural(own(view), "setting")}
              <span className="phone-only quiet"> set here</span>
            </>
          ),
        },
        "Last change": { phone: "left", cell: (view) => <LastChange view={view} now={at} /> },
        Change: {
          align: "right",
          cell: ({ operation }) =>
            change.allowed ? (
              <ButtonLink small href={`/policies/${operation}`}>
                Change<span className="spoken"> {operation}</span>
              </ButtonLink>
            ) : (
              <Button small notOffered={whyNotOffered(change)}>
                Change<span className="spoken"> {operation}</span>
              </Button>
            ),
        },
      }}
    />
  );
}

/** "Bodies are kept: 48 h; …" */
function setWords(overrides: PolicyOverrides): string {
  return POLICY_FIELDS.flatMap((field) => {
    const value = overrides[field];
    return value === undefined ? [] : [`${SETTINGS[field].label}: ${shownSetting(field, value)}`];
  }).join("; ");
}

/** What a service is not told here it decides by itself. */
function Elsewhere({ operations }: { readonly operations: View["elsewhere"] }) {
  return (
    <SectionTable<ServicePolicyView>
      title="Operations of services"
      label="Operations of services"
      note="each service decides what is not set here"
      rows={operations}
      rowId={({ operation }) => operation}
      columns={{
        Operation: {
          wrap: true,
          cell: ({ kind, route }) => (
            <>
              <b>{kind}</b> <span className="quiet">{route}</span>
            </>
          ),
        },
        Service: { cell: ({ owner }) => owner },
        "Set here": {
          wrap: true,
          cell: ({ overrides }) => {
            const set = setWords(overrides);
            return set === "" ? <span className="quiet">nothing</span> : set;
          },
        },
        "Bodies kept here": { align: "right", cell: ({ bodyTtlHours }) => `${String(bodyTtlHours)} h` },
      }}
    />
  );
}

function Operation({ view: { kind, route, findings } }: { readonly view: OperationPolicyView }) {
  return (
    <>
      <b>{kind}</b> <span className="quiet">{route}</span>
      {findings.map(({ message }) => (
        <span key={message} className={styles["broken"]}>
          Contradiction: {settingsInWords(message)}.
        </span>
      ))}
    </>
  );
}

function LastChange({ view, now }: { readonly view: OperationPolicyView; readonly now: string }) {
  if (view.changedAt === undefined) return <span className="quiet">never changed</span>;
  const href = `/audit?action=policies.write&subjectId=${encodeURIComponent(view.operation)}&range=all`;
  return (
    <span>
      <Link href={href}>version {view.version}</Link>, {view.changedBy},{" "}
      <Time at={view.changedAt} now={now} form="ago" />
    </span>
  );
}

interface DifferencesProps {
  readonly operations: readonly OperationPolicyView[];
  readonly now: string;
}

/** Side by side: a column for each operation, a row for each setting in which they differ or that was decided here. */
function Differences({ operations, now }: DifferencesProps) {
  const fields = differingSettings(operations);
  const columns: Record<string, RowColumn<PolicyField>> = {
    Setting: { wrap: true, cell: (field) => SETTINGS[field].label },
  };
  for (const view of operations) {
    columns[view.kind] = { wrap: true, phone: "full", cell: (field) => <Cell view={view} field={field} now={now} /> };
  }
  return (
    <Section title="What differs" note={fields.length === 0 ? undefined : "bold: set by this tenant"} space="small">
      <RowsTable
        label="Settings that differ"
        rows={fields}
        rowId={(field) => field}
        columns={columns}
        empty={<p className="small quiet">Nothing: no setting differs, and this tenant set none.</p>}
      />
    </Section>
  );
}

interface CellProps {
  readonly view: OperationPolicyView;
  readonly field: PolicyField;
  readonly now: string;
}

function Cell({ view, field, now }: CellProps) {
  const { inherited, kind } = view;
  const setting = settingOf(view, field);
  if (setting === undefined) return null;
  const { value, from, since, by } = setting;
  const unused = unusedBecause(field, view);
  const risk = riskOf(field, view);
  return (
    <span
      className={styles["cell"]}
      data-own={from === "tenant" || undefined}
      data-unused={unused !== undefined || undefined}
    >
      <span className={styles["of"]}>{kind}: </span>
      <b className="toned" data-tone={risk === undefined ? undefined : "doubt"}>
        {shownSetting(field, value)}
      </b>
      {from === "tenant" && (
        <small>
          {layerWord(from)}
          {by !== undefined && `, ${by}`}
          {since !== undefined && (
            <>
              , <Time at={since} now={now} form="ago" />
            </>
          )}
          ; else {shownSetting(field, inherited[field])}
        </small>
      )}
      {unused !== undefined && <small>{unused}</small>}
      {risk !== undefined && <small className={styles["risk"]}>{risk}</small>}
    </span>
  );
}

interface GroupProps {
  readonly group: SettingGroup;
  readonly operations: readonly OperationPolicyView[];
}

function Group({ group, operations }: GroupProps) {
  return (
    <div className={styles["group"]}>
      <div className={styles["effects"]}>
        <h3>{group.name}</h3>
        {effectsOfAll(operations, group).map(({ sentence, only }) => (
          <p key={sentence}>
            {only.length > 0 && <b>{only.join(", ")}: </b>}
            {sentence}
          </p>
        ))}
      </div>
      <dl className={styles["settings"]}>
        {sharedSettings(operations, group).map(({ field, value }) => {
          const unused = ofAll(operations, (view) => unusedBecause(field, view));
          const risks = new Set(operations.flatMap((view) => riskOf(field, view) ?? []));
          return (
            <div key={field}>
              <dt>{SETTINGS[field].label}</dt>
              <dd>
                <b>{shownSetting(field, value)}</b>
                <span className={styles["from"]}>
                  {[ofAll(operations, (view) => layerOf(view, field)), unused].filter(Boolean).join(", ")}
                </span>
                {[...risks].map((risk) => (
                  <span key={risk} className={styles["risk"]}>
                    {risk}
                  </span>
                ))}
              </dd>
            </div>
          );
        })}
      </dl>
    </div>
  );
}

function layerOf(view: OperationPolicyView, field: PolicyField): string | undefined {
  const from = settingOf(view, field)?.from;
  return from && layerWord(from);
}

/** What is so of each operation; undefined where they are not alike. */
function ofAll(
  operations: readonly OperationPolicyView[],
  of: (view: OperationPolicyView) => string | undefined,
): string | undefined {
  const [first, ...others] = new Set(operations.map(of));
  return others.length === 0 ? first : undefined;
}
