import { Notice } from "@/components/feedback/notice";
import { ButtonLink } from "@/components/ui/button";
import { DataList } from "@/components/ui/data-list";
import { Offer } from "@/components/ui/offer";
import { Note, Row } from "@/components/ui/row";
import { Section } from "@/components/ui/section";
import { hrefWith, type PageAddress } from "@/presentation/list/page-address";
import { ACT_WORDS, columnLabel } from "@/presentation/sources/source-words";
import type { SourceHead, SourceListView, SourceOpened, SourceRowView } from "@/presentation/views/sources";
import { SourceState, Value } from "./source-cells";
import styles from "./sources.module.css";

interface OpenedRowProps {
  readonly view: SourceListView;
  readonly opened: SourceOpened;
  readonly address: PageAddress;
}

/** One row with all of its columns, each a value, or why there is none. */
export function OpenedRow({ view, opened, address }: OpenedRowProps) {
  const close = (
    <ButtonLink small href={hrefWith(address, { open: undefined, dialog: undefined })}>
      Close
    </ButtonLink>
  );
  if (opened.kind === "gone") return <Notice title="This row is no longer in this list." actions={close} />;
  if (opened.kind === "not_shown")
    return <Notice tone="doubt" title="Not shown" text={opened.because} actions={close} />;
  const { row } = opened;
  const says = view.states.find(({ state }) => state === row.state)?.says;
  return (
    <Section title={row.id} note="Bodies are not shown" right={close} space="small">
      <DataList
        items={[
          {
            name: "State",
            value: (
              <>
                <SourceState view={view.view} state={row.state} /> <span className="small quiet">{says}</span>
              </>
            ),
          },
          ...view.columns
            .filter(({ name }) => name !== "id")
            .map(({ name, kind, says: why }) => ({
              name: columnLabel(name),
              value:
                kind === "not_stored" ? (
                  <span className="quiet">not stored: {why}</span>
                ) : (
                  <>
                    <Value value={row.values[name]} now={view.at} form="exact" />
                    {kind === "derived" && <small className="quiet"> ≈ {why}</small>}
                  </>
                ),
            })),
        ]}
      />
      <div className="above">
        <RowActs source={view.source} row={row} told />
      </div>
    </Section>
  );
}

interface RowActsProps {
  readonly source: SourceHead;
  readonly row: SourceRowView;
  /** What is not offered says why. */
  readonly told?: boolean | undefined;
}

/** What may be done to a row; what the installation does not offer has its reason instead of a button. */
export function RowActs({ source, row, told = false }: RowActsProps) {
  const verbs = ["requeue", "discard"] as const;
  return (
    <div className={told ? undefined : styles["together"]}>
      <Row end={!told}>
        {verbs.map((verb) => {
          const act = source.acts[verb];
          return (
            act.offered && (
              <Offer key={verb} small dialog={`${verb}:${row.id}`} notOffered={act.whyNot}>
                {ACT_WORDS[verb]}
              </Offer>
            )
          );
        })}
      </Row>
      {told &&
        verbs.map((verb) => {
          const act = source.acts[verb];
          return (
            !act.offered && (
              <Note key={verb}>
                {ACT_WORDS[verb]} is not offered: {act.says}
              </Note>
            )
          );
        })}
    </div>
  );
}
