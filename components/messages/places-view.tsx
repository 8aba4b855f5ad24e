import { Link } from "@/components/ui/link";
import { ButtonLink } from "@/components/ui/button";
import { EmptyState } from "@/components/feedback/notice";
import { PageHead } from "@/components/ui/page-head";
import { Time } from "@/components/ui/values/time";
import { placesVerdict } from "@/presentation/message/places-verdict";
import { SIDE_WORDS } from "@/presentation/message/sides";
import type { PlacesView as View } from "@/presentation/views/places";
import { PlaceTable } from "./place-table";

const EMPTY: Readonly<Record<View["side"], { readonly title: string; readonly text: string }>> = {
  outbox: {
    title: "No topic is listed.",
    text: "A topic is listed while it has an open message, once somebody changed it, and if the roll-ups of the last hour have it.",
  },
  inbox: {
    title: "No consumer is listed.",
    text: "A consumer is listed while it has an open message, and if the roll-ups of the last hour have it.",
  },
};

export function PlacesView({ places }: { readonly places: View }) {
  const { side, at } = places;
  const { title, places: many } = SIDE_WORDS[side];
  return (
    <>
      <PageHead
        crumb={<Link href={`/${side}`}>{title}</Link>}
        aside={<ButtonLink href="/flow">Flow</ButtonLink>}
        lede={
          side === "outbox"
            ? "Topics are sent independently: one whose destination is down delays another only where they share a payment or account, whose messages leave in order."
            : "Each consumer has its own row for a message: one that fails does not stop the others."
        }
        verdict={placesVerdict(places).clauses}
      />
      {places.rows.length === 0 ? (
        <EmptyState
          title={EMPTY[side].title}
          text={
            <>
              {EMPTY[side].text} Checked <Time at={at} now={at} form="ago" />.
            </>
          }
        />
      ) : (
        <PlaceTable places={places} title={`All ${many}`} />
      )}
    </>
  );
}
