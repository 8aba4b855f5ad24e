"use client";

import { AskedDialog, type DialogWords } from "@/components/feedback/action-dialog";
import { useDialog } from "@/components/feedback/use-dialog";
import { freezeDialog } from "@/components/plans/freeze-dialog";
import { Offer } from "@/components/ui/offer";
import { Row } from "@/components/ui/row";
import type { AttachedKindName } from "@/domain/plans/plan";
import { errorGroups } from "@/presentation/sources/error-groups";
import { ACT_WORDS } from "@/presentation/sources/source-words";
import type { SourceHead, SourceListView } from "@/presentation/views/sources";
import styles from "./sources.module.css";

const PLANNED = ["requeue", "discard"] as const;
type Planned = (typeof PLANNED)[number];

const KINDS: Readonly<Record<Planned, AttachedKindName>> = {
  requeue: "requeue_attached",
  discard: "discard_attached",
};

/** Dead rows as a plan: frozen with a verdict each, approved where there are many, and acted on one by one. */
export function SourcePlans({ view }: { readonly view: SourceListView }) {
  const { source } = view;
  const { name } = useDialog();
  const asked = readDialog(name);
  return (
    <>
      <div className="above">
        <Row end>
          {plannedOf(source).map((act) => (
            <PlanOffer key={act} source={source} act={act}>
              Plan to {ACT_WORDS[act].toLowerCase()} the dead rows
            </PlanOffer>
          ))}
        </Row>
      </div>
      <AskedDialog name={name} words={asked && planDialog(view, asked.act, asked.group)} />
    </>
  );
}

/** Plans of the rows of one error, beside its group. @param group its place among the groups of the page */
export function GroupPlans({ source, group }: { readonly source: SourceHead; readonly group: number }) {
  return (
    <div className={styles["together"]}>
      <Row end>
        {plannedOf(source).map((act) => (
          <PlanOffer key={act} source={source} act={act} group={group}>
            {ACT_WORDS[act]} these
          </PlanOffer>
        ))}
      </Row>
    </div>
  );
}

const plannedOf = ({ acts }: SourceHead): readonly Planned[] => PLANNED.filter((act) => acts[act].offered);

function PlanOffer(props: {
  readonly source: SourceHead;
  readonly act: Planned;
  readonly group?: number;
  readonly children: React.ReactNode;
}) {
  const { source, act, group, children } = props;
  return (
    <Offer small dialog={dialogOf(act, group)} notOffered={source.acts[act].whyNot}>
      {children}
    </Offer>
  );
}

const dialogOf = (act: Planned, group: number | undefined): string =>
  group === undefined ? `plan:${act}` : `plan:${act}:${String(group)}`;

function readDialog(name: string): { readonly act: Planned; readonly group: number | undefined } | undefined {
  const [, verb, group] = /^plan:(requeue|discard)(?::(\d{1,3}))?$/.exec(name) ?? [];
  const act = PLANNED.find((each) => each === verb);
  return act && { act, group: group === undefined ? undefined : Number(group) };
}

const ANY = { value: "", label: "any" };
const optionsOf = (texts: readonly string[]) => [ANY, ...texts.map((value) => ({ value, label: value }))];

/** What is chosen there stands in the rows of the page; any other is named over the API. */
function planDialog(
  { source, page, columns }: SourceListView,
  act: Planned,
  group: number | undefined,
): DialogWords | undefined {
  if (!source.acts[act].offered) return undefined;
  const rows = page.kind === "rows" ? page.rows : [];
  const types = rows.flatMap(({ values: { type } }) => (type?.kind === "text" && !type.cut ? [type.text] : []));
  const groups = errorGroups(rows, columns) ?? [];
  const errors = groups.flatMap(({ error }) => error ?? []);
  const field = { kind: "select", within: "attached", omitEmpty: true } as const;
  return freezeDialog({
    kind: KINDS[act],
    many: "the newest dead rows",
    body: { attached: { attachment: source.id } },
    chosen: true,
    fields: [
      { ...field, name: "type", label: "Type, of those on this page", options: optionsOf([...new Set(types)].sort()) },
      ...(errors.length === 0
        ? []
        : [
            {
              ...{ ...field, name: "group", label: "Error, of those on this page", options: optionsOf(errors) },
              initial: group === undefined ? undefined : groups[group]?.error,
            },
          ]),
    ],
    whyNot: source.acts[act].whyNot,
  });
}
