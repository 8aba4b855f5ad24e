import type { Metadata } from "next";
import { showPage } from "@/app/_server/show-page";
import { PlacesView } from "@/components/messages/places-view";
import { FollowPage } from "@/components/shell/live-provider";
import { listConsumers } from "@/console/read/messages/read-consumer";

export const metadata: Metadata = { title: "Consumers" };

export default function ConsumersPage() {
  return showPage(
    { title: "Consumers", what: "The list of consumers", address: "/consumers" },
    listConsumers,
    (places) => (
      <FollowPage page="consumers" since={places.at} refresh="always">
        <PlacesView places={places} />
      </FollowPage>
    ),
  );
}
