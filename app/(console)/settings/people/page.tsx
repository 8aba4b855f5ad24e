import type { Metadata } from "next";
import { showPage } from "@/app/_server/show-page";
import { PeopleView } from "@/components/settings/people-view";
import { readPeople } from "@/console/read/access/read-people";

export const metadata: Metadata = { title: "People" };

export default function PeoplePage() {
  return showPage(
    { title: "People", what: "The list of people", address: "/settings/people" },
    (ctx, { operator }) => readPeople(ctx, operator.sessionId),
    (view) => <PeopleView view={view} />,
  );
}
