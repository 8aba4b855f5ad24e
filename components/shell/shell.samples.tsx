import { onPath } from "@/components/parts/in-app";
import { inLive } from "@/components/parts/in-live";
import { SAMPLE_NOW, type Part } from "@/components/parts/part";
import { Time } from "@/components/ui/values/time";
import type { Zone } from "@/domain/time-zone";
import type { NavCounts } from "@/presentation/metrics/live-status";
import { LiveButton } from "./top-bar-buttons";
import type { Live } from "./live-provider";
import { SectionMenus, TabBar } from "./sections";
import { SourceSwitch } from "./source-switch";
import { TopBar } from "./top-bar";
import { PendingPage } from "./pending-page";
import { Sidebar } from "./sidebar";
import { ZoneChoice } from "./zone-choice";
import { ZoneOfPerson } from "./zone-of-person";

const BUSY: NavCounts = {
  attention: 3,
  unknown: 2,
  stale: 1,
  deadLetters: 2,
  violated: 1,
  outbox: 1_200,
  conflicts: 0,
};
const places = (counts: NavCounts, onPage: NavCounts = {}) =>
  inLive(
    <>
      <Sidebar person={{ name: "Ada", role: "admin" }} />
      <SectionMenus />
    </>,
    { counts, onPage },
  );
const clockOf = (choice: Zone) => (
  <ZoneOfPerson tenant="acme" choice={choice} browserZone={undefined}>
    <Time at={SAMPLE_NOW} now={SAMPLE_NOW} form="clock" />
  </ZoneOfPerson>
);
const zones = (choice: Zone) => (
  <ZoneOfPerson tenant="acme" choice={choice} browserZone={undefined}>
    <ZoneChoice />
  </ZoneOfPerson>
);
const tabs = (counts: NavCounts) => inLive(<TabBar />, { counts });
const button = (changes: Partial<Live>) => inLive(<LiveButton />, changes);
const tenant = (...names: readonly string[]) => (
  <SourceSwitch tenant="acme" tenants={names.map((name) => ({ name, href: `/?tenant=${name}` }))} sources={[]} />
);
const source = (path: string, ...names: readonly string[]) =>
  onPath(
    path,
    <SourceSwitch
      tenant="acme"
      tenants={[{ name: "acme", href: "/?tenant=acme" }]}
      sources={names.map((name) => ({ name, href: `/sources/${name}` }))}
    />,
  );
const top = (environment: string) =>
  inLive(<TopBar environment={environment} tenant="acme" tenants={[]} now={SAMPLE_NOW} />);

export const shellParts: readonly Part[] = [
  {
    name: "PendingPage",
    states: [
      {
        name: "nothing else was asked for",
        shows: <PendingPage>The page</PendingPage>,
        says: ["The page"],
        hasNot: ['[aria-busy="true"]'],
      },
    ],
  },
  {
    name: "Sidebar and SectionMenus",
    states: [
      {
        name: "nothing is counted",
        shows: places({}),
        says: ["Overview", "Unknown and stale", "Role: admin.", "Sign out"],
        has: ['a[href="/"][aria-current="page"]', 'summary[aria-current="true"]'],
        hasNot: ["[data-tone]", 'a[href="/operations"][aria-current]'],
      },
      {
        name: "with trouble",
        shows: places(BUSY),
        says: ["1,200", "Conflicts0"],
        has: [
          'a[href="/attention"] [data-tone="doubt"] svg',
          'a[href="/invariants"] [data-tone="broken"]',
          'summary [data-tone="doubt"]',
          '[title="1,200 messages pending"]',
          '[title="2 unknown, 1 stale lease"]',
        ],
        hasNot: ['a[href="/dead-letters"] [data-tone]'],
      },
      {
        name: "the page says what it was when it was read",
        shows: places({ outbox: 52, inbox: 3, conflicts: 1_000 }, { outbox: 26, inbox: 3 }),
        says: ["26 → 52", "Inbox3", "1,000+"],
        has: [
          '[title="On this page as it was read, and now: 52 messages pending"]',
          '[title="3 messages not handled yet"]',
          '[title="1,000+ conflicts in the last 24 hours"]',
        ],
      },
      {
        name: "what counts trouble says nothing while there is none",
        shows: places({ violated: 0, attention: 0 }),
        says: ["Unknown and stale0"],
        lacks: ["Invariants0"],
        hasNot: ["[data-tone]"],
      },
    ],
  },
  {
    name: "TabBar",
    states: [
      { name: "not counted", shows: tabs({}), says: ["not counted", "audit"], has: ['a[href="/attention"]'] },
      {
        name: "clear",
        shows: tabs({ attention: 0, deadLetters: 0, violated: 0 }),
        says: ["clear"],
        has: ['a[aria-current="true"][href="/"]'],
        hasNot: ["[data-tone]"],
      },
      {
        name: "only leases are stale",
        shows: tabs({ attention: 2, unknown: 0, stale: 2, deadLetters: 1 }),
        says: ["2 stale"],
        lacks: ["in doubt"],
      },
      {
        name: "dead letters only",
        shows: tabs({ attention: 0, deadLetters: 2 }),
        says: ["2 dead"],
        has: ['a[href="/dead-letters"]'],
      },
      {
        name: "in doubt and violated",
        shows: tabs(BUSY),
        says: ["2 in doubt", "1 violated"],
        lacks: ["2 dead"],
        has: ['a[href="/attention"] [data-tone="doubt"]', 'a[href="/invariants"] [data-tone="broken"]'],
      },
    ],
  },
  {
    name: "LiveButton",
    states: [
      { name: "live, nothing was heard yet", shows: button({}), says: ["Live", "Pause"], lacks: ["ago"] },
      {
        name: "paused with newer rows",
        shows: button({ status: "paused", newer: 7 }),
        says: ["Paused", "14:30:00, 7 new", "Go on"],
      },
      { name: "paused", shows: button({ status: "paused" }), says: ["14:30:00"], lacks: ["new"] },
      { name: "lost", shows: button({ status: "lost" }), says: ["Not live", "since 14:30:00"] },
      { name: "signed out", shows: button({ status: "ended" }), says: ["Signed out"], lacks: ["since"] },
    ],
  },
  {
    name: "SourceSwitch",
    states: [
      { name: "one tenant", shows: tenant("acme"), says: ["acme"], hasNot: ["button"] },
      {
        name: "several",
        shows: tenant("acme", "globex"),
        says: ["acme"],
        has: ['button[aria-expanded="false"]'],
      },
      {
        name: "one tenant with an attached database",
        shows: source("/outbox", "orders-db"),
        says: ["Tenant acme"],
        has: ['button[aria-expanded="false"]'],
      },
      {
        name: "in an attached database",
        shows: source("/sources/orders-db/outbox", "orders-db", "invoices-db"),
        says: ["Source acme · orders-db"],
        lacks: ["Tenant acme"],
      },
      {
        name: "at one that there is not",
        shows: source("/sources/nothing", "orders-db"),
        says: ["Tenant acme"],
      },
    ],
  },
  {
    name: "TopBar",
    states: [
      {
        name: "where money is real",
        shows: top("Production"),
        says: ["Production", "14:30:00", "UTC", "System", "Find a key, id, reference or amount"],
        has: ['[data-real="true"]'],
      },
      { name: "of the sandbox", shows: top("Sandbox"), says: ["Sandbox"], hasNot: ["[data-real]"] },
    ],
  },
  {
    name: "ZoneOfPerson",
    states: [
      { name: "UTC", shows: clockOf("utc"), says: ["14:30:00"] },
      { name: "a named zone, half an hour off", shows: clockOf("Asia/Kolkata"), says: ["20:00:00"] },
      { name: "that of the browser", shows: clockOf("local"), has: ["time[datetime]"] },
    ],
  },
  {
    name: "ZoneChoice",
    states: [
      { name: "UTC", shows: zones("utc"), says: ["Zone", "UTC", "Local time", "Europe/Berlin"] },
      { name: "an older name that was kept", shows: zones("Asia/Calcutta"), says: ["Asia/Calcutta"] },
    ],
  },
];
