import { Link } from "@/components/ui/link";
import { DoneKeeper, DoneLine } from "@/components/feedback/done-line";
import { OutboxList } from "@/components/outbox/outbox-list";
import { disabledReason, Offer } from "@/components/ui/offer";
import { DataList } from "@/components/ui/data-list";
import { PageHead } from "@/components/ui/page-head";
import { Section, TwoColumns } from "@/components/ui/section";
import { Time } from "@/components/ui/values/time";
import type { PageAddress } from "@/presentation/list/page-address";
import type { TopicView as View } from "@/presentation/views/place-pages";
import { PlaceCharts } from "./place-charts";
import { PlaceErrors } from "./place-errors";
import { TopicDialogs } from "./topic-dialogs";
import { WaitingLongest } from "./waiting-longest";
import styles from "./messages.module.css";

export interface TopicViewProps {
  readonly topic: View;
  readonly address: PageAddress;
  readonly whyNot?: string | undefined;
}

export function TopicView({ topic, address, whyNot }: TopicViewProps) {
  const { row, at, actions } = topic;
  return (
    <DoneKeeper>
      <PageHead
        crumb={
          <>
            <Link href="/outbox">Outbox</Link> · <Link href="/topics">Topics</Link>
          </>
        }
        lede={
          row.paused === undefined ? undefined : (
            <>
              Paused by {row.paused.by} at <Time at={row.paused.at} now={at} form="day" />: {row.paused.reason}
            </>
          )
        }
        aside={
          <>
            <Offer dialog="route" notOffered={disabledReason(actions.route)}>
              Change route
            </Offer>
            {row.paused === undefined ? (
              <Offer dialog="pause" notOffered={disabledReason(actions.pause)}>
                Pause
              </Offer>
            ) : (
              <Offer dialog="resume" primary={actions.resume.allowed} notOffered={disabledReason(actions.resume)}>
                Resume
              </Offer>
            )}
          </>
        }
        verdict={topic.verdict.clauses}
      />
      <DoneLine />
      <TwoColumns side={<Way topic={topic} />}>
        <PlaceCharts side="outbox" label={row.label} chart={topic.chart} now={at} address={address} />
        <PlaceErrors side="outbox" place={row.place} errors={topic.errors} now={at} />
      </TwoColumns>
      <WaitingLongest detail={topic} whyNot={whyNot}>
        <OutboxList rows={topic.waiting} now={at} published={false} still address={address} whyNot={whyNot} />
      </WaitingLongest>
      <TopicDialogs topic={topic} />
    </DoneKeeper>
  );
}

function Way({ topic }: { readonly topic: View }) {
  const { route, row, at, actions } = topic;
  const who =
    route.updatedAt === undefined ? (
      "Default"
    ) : (
      <>
        {route.updatedBy}, <Time at={route.updatedAt} now={at} form="day" />
      </>
    );
  return (
    <Section title="Route">
      <DataList
        narrow
        right
        items={[
          { name: "Topic", value: row.place },
          {
            name: "Transport",
            value:
              route.chosen === undefined && route.offered.length > 0
                ? `${route.transport}, by default`
                : route.transport,
          },
          { name: "Destination", value: route.destination ?? route.otherwise },
          { name: "Decided by", value: who },
          { name: "Version", value: route.version === 0 ? undefined : String(route.version) },
        ]}
      />
      {!actions.route.allowed && <p className={styles["why"]}>Not offered: {actions.route.whyNot}</p>}
    </Section>
  );
}
