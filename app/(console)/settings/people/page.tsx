import type { Metadata } from "next";
import { consolePage } from "@/app/_server/show-page";
import { PeopleView } from "@/components/settings/people-view";
import { readPeople } from "@/console/read/access/read-people";

export const metadata: Metadata = { title: "People" };

export default consolePage({
  title: "People",
  what: "The list of people",
  path: "/settings/people",
  read: (ctx, { request: { operator } }) => readPeople(ctx, operator.sessionId),
  show: (view) => <PeopleView view={view} />,
});
