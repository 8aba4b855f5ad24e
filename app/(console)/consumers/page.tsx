import type { Metadata } from "next";
import { consolePage } from "@/app/_server/show-page";
import { PlacesView } from "@/components/messages/places-view";
import { listConsumers } from "@/console/read/messages/read-consumer";

export const metadata: Metadata = { title: "Consumers" };

export default consolePage({
  title: "Consumers",
  what: "The list of consumers",
  path: "/consumers",
  read: listConsumers,
  follow: ({ at }) => ({ page: "consumers", since: at, refresh: "always" }),
  show: (places) => <PlacesView places={places} />,
});
