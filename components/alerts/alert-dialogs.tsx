"use client";

import { AskedDialog, type DialogWords } from "@/components/feedback/action-dialog";
import type { ActionField } from "@/components/feedback/dialog-field";
import { useDialogOf } from "@/components/feedback/use-dialog";
import { conditionName } from "@/presentation/alerts/alert-message";
import { deleteWords, kindLabel, ruleWords } from "@/presentation/alerts/alerts-verdict";
import type { AlertDestinationView, AlertRuleView, AlertsView } from "@/presentation/views/alerts";

const DESTINATIONS = "/api/v1/admin/alert-destinations";
const RULES = "/api/v1/admin/alert-rules";
const NAME_MAX = 100;
const TARGET_MAX = 2_000;
const AMOUNTS_MAX = 500;
const LIMIT_MAX = 7;

/** The dialog that the address asks for: of a destination or of a rule. */
export function AlertDialogs({ view }: { readonly view: AlertsView }) {
  const { name, verb, row } = useDialogOf(view.destinations);
  const { row: rule } = useDialogOf(view.rules, ({ condition }, id) => id === condition);
  const words = verb === "rule" ? rule && ruleDialog(rule) : destinationDialog(verb, row);
  return <AskedDialog name={name} words={words && { notOffered: view.whyNot, ...words }} />;
}

function destinationDialog(verb: string, row: AlertDestinationView | undefined): DialogWords | undefined {
  if (verb === "create") return CREATE;
  if (row === undefined) return undefined;
  const evidence = `${row.name}, ${kindLabel(row.kind)}, ${row.shown}`;
  if (verb === "test")
    return {
      title: "Send 1 test alert?",
      effect:
        "A message that says it is a test goes there by the way of every alert. At PagerDuty its incident is ended at once.",
      evidence,
      notDone: "No alert is opened.",
      verb: "Send 1 test",
      path: `${DESTINATIONS}/${row.id}/test`,
    };
  return verb === "delete"
    ? {
        title: "Delete 1 destination?",
        effect: deleteWords(row),
        evidence,
        notDone: "Alerts stay open, and other destinations keep receiving them.",
        verb: "Delete 1 destination",
        path: `${DESTINATIONS}/${row.id}/delete`,
      }
    : undefined;
}

const CREATE: DialogWords = {
  title: "Add 1 destination of alerts?",
  effect:
    "Alerts that are open and at their limit are sent there once, and those of this tenant that open, grow or end from now on.",
  notDone:
    "Alerts that have ended, or are below their limit again, are not sent there. Its address is not shown again.",
  skipped: false,
  verb: "Add 1 destination",
  path: DESTINATIONS,
  reason: "optional",
  fields: [
    {
      name: "kind",
      label: "Kind",
      kind: "radio",
      required: true,
      initial: "slack",
      options: [
        {
          value: "slack",
          label: "Slack webhook",
          note: "or another that takes the same body: Mattermost, Rocket.Chat",
        },
        { value: "pagerduty", label: "PagerDuty", note: "Events API v2" },
        { value: "email", label: "E-mail" },
      ],
    },
    { name: "name", label: "Name", kind: "text", required: true, maxLength: NAME_MAX },
    {
      name: "target",
      label: "Webhook address (https), routing key, or e-mail address",
      kind: "text",
      required: true,
      maxLength: TARGET_MAX,
      placeholder: "https://hooks.slack.com/services/…",
    },
  ],
};

const LIMITS: Readonly<Partial<Record<AlertRuleView["condition"], string>>> = {
  dead_letters: "Limit, open dead letters",
  failing_topic: "Limit, minutes that a message which was tried has waited",
  red_invariant: "Limit, counterexamples of one invariant",
};

function ruleDialog(rule: AlertRuleView): DialogWords {
  const { condition, enabled, limit, amounts } = rule;
  const counted = LIMITS[condition];
  const fields: readonly (ActionField | false)[] = [
    {
      name: "state",
      label: "Watched",
      kind: "radio",
      required: true,
      initial: enabled ? "on" : "off",
      options: [
        { value: "on", label: "On" },
        { value: "off", label: "Off", note: "an alert that is open ends, and the message says why" },
      ],
    },
    counted !== undefined && {
      name: "limit",
      label: counted,
      kind: "text",
      required: true,
      initial: String(limit ?? 1),
      maxLength: LIMIT_MAX,
    },
    amounts !== undefined && {
      name: "amounts",
      label: "Limits, one a currency, separated by commas",
      kind: "text",
      initial: amounts,
      maxLength: AMOUNTS_MAX,
      placeholder: "EUR 500.00, JPY 50000",
    },
  ];
  return {
    title: `Change 1 rule: ${conditionName(condition)}?`,
    effect: "It counts from the next turn of the worker on, in this tenant alone.",
    evidence: `Now: ${ruleWords(rule)}`,
    notDone: "What was sent before is not taken back.",
    verb: "Change 1 rule",
    path: `${RULES}/${condition}`,
    fields: fields.filter((field) => field !== false),
  };
}
