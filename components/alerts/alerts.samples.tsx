import { inLive } from "@/components/parts/in-live";
import { SAMPLE_NOW, type Part } from "@/components/parts/part";
import type {
  AlertDestinationView,
  AlertRuleView,
  AlertsView as View,
  OpenAlertView,
} from "@/presentation/views/alerts";
import { AlertsView } from "./alerts-view";

const EARLIER = "2026-11-22T12:00:00.000000Z";
const REFUSED = "You need the role admin.";

const sampleOpen = (changes: Partial<OpenAlertView> = {}): OpenAlertView => ({
  id: "a1",
  condition: "dead_letters",
  title: "4 dead letters, limit 1",
  href: "/dead-letters",
  since: EARLIER,
  level: 3,
  toldAt: EARLIER,
  ...changes,
});

export function sampleDestination(changes: Partial<AlertDestinationView> = {}): AlertDestinationView {
  return {
    ...{ id: "d1", kind: "slack", name: "the channel on call", shown: "https://hooks.slack.com/…" },
    ...{ topic: "alert:slack:d1", createdAt: EARLIER, createdBy: "Ada", waiting: 0, dead: 0 },
    ...changes,
  };
}

const RULES: readonly AlertRuleView[] = [
  { condition: "money_in_doubt", enabled: true, amounts: "", shownAmounts: "", isDefault: true },
  { condition: "dead_letters", enabled: true, limit: 1, isDefault: true },
  { condition: "failing_topic", enabled: true, limit: 10, isDefault: true },
  { condition: "stopped_loop", enabled: false, isDefault: true },
  { condition: "red_invariant", enabled: true, limit: 1, isDefault: true },
];

export function sampleAlerts(changes: Partial<View> = {}): View {
  return { at: SAMPLE_NOW, open: [], pending: 0, ended: [], rules: RULES, destinations: [], limit: 10, ...changes };
}
const page = (changes: Partial<View> = {}) => inLive(<AlertsView view={sampleAlerts(changes)} />);

export const alertParts: readonly Part[] = [
  {
    name: "AlertsView",
    states: [
      {
        name: "nothing set",
        shows: page(),
        says: [
          "No alert is open.",
          "Nobody is told: there is no destination.",
          "No destination receives alerts.",
          "not watched: no currency has a limit",
          "from 1 open dead letter on",
          "0 of 10",
        ],
        lacks: ["Open alerts", "Ended alerts", "Send a test"],
        has: ['a[href*="dialog=create"]', 'a[href*="dialog=rule%3Adead_letters"]'],
        hasNot: ['table[aria-label="Open alerts"]', 'table[aria-label="Destinations of alerts"]'],
      },
      {
        name: "open ones, one of them going away, and destinations in trouble",
        shows: page({
          open: [
            sampleOpen(),
            sampleOpen({ id: "a2", title: "€1,204.00 in doubt, limit €1,000.00", clearSince: EARLIER }),
          ],
          pending: 1,
          destinations: [
            sampleDestination({ waiting: 2, lastError: "alert.destination_unavailable" }),
            sampleDestination({ id: "d2", kind: "pagerduty", name: "payments", shown: "…cdef", dead: 1 }),
            sampleDestination({ id: "d3", kind: "email", name: "the team", shown: "o…@ops.example" }),
          ],
          rules: [
            {
              ...{ condition: "money_in_doubt", enabled: true, isDefault: false, updatedAt: EARLIER, updatedBy: "Ada" },
              ...{ amounts: "EUR 1000.00", shownAmounts: "€1,000.00" },
            },
            { condition: "dead_letters", enabled: false, limit: 1, isDefault: false },
          ],
        }),
        says: [
          "2 alerts are open.",
          "1 more may follow.",
          "2 destinations could not be reached.",
          "4 dead letters, limit 1",
          "at its limit",
          "below since",
          "2 waiting",
          "1 dead",
          "alert.destination_unavailable",
          "from €1,000.00 on, each currency by itself",
          "not watched",
          "by Ada",
        ],
        lacks: ["Nobody is told"],
        has: ['a[href*="dialog=test%3Ad3"]', 'a[href="/dead-letters?place=alert%3Aslack%3Ad1"]'],
      },
      {
        name: "ended ones",
        shows: page({
          ended: [
            { ...sampleOpen(), endedAt: EARLIER, endedAs: "resolved" },
            { ...sampleOpen({ id: "a2" }), endedAt: EARLIER, endedAs: "turned_off" },
          ],
          destinations: [sampleDestination()],
        }),
        says: ["the newest 2", "resolved", "rule turned off"],
        lacks: ["could not be reached"],
      },
      {
        name: "as many destinations as there may be",
        shows: page({ destinations: [sampleDestination()], limit: 1 }),
        says: ["A tenant has at most 1 destination; delete one first."],
        hasNot: ['a[href*="dialog=create"]'],
      },
      {
        name: "for somebody who may not change it",
        shows: page({ destinations: [sampleDestination()], whyNot: REFUSED }),
        says: [REFUSED, "the channel on call"],
        lacks: ["Send a test", "Delete"],
        hasNot: ['a[href*="dialog=create"]', 'a[href*="dialog=rule"]'],
      },
    ],
  },
];
