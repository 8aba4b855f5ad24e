import { Link } from "@/components/ui/link";
import { whyNotOffered } from "@/components/feedback/not-offered";
import { Button, ButtonLink } from "@/components/ui/button";
import { Section } from "@/components/ui/section";
import { Time } from "@/components/ui/values/time";
import {
  effectsOf,
  settingsInWords,
  layerWord,
  riskOf,
  SETTING_GROUPS,
  SETTINGS,
  shownSetting,
  unusedBecause,
  type SettingGroup,
} from "@/presentation/policy/policy-words";
import type { OperationPolicyView, PoliciesView, SettingView } from "@/presentation/views/policies";
import styles from "./policies.module.css";

export interface OperationPolicyProps {
  readonly view: OperationPolicyView;
  readonly change: PoliciesView["change"];
  readonly now: string;
}

export function OperationPolicy({ view, change, now }: OperationPolicyProps) {
  return (
    <Section
      id={view.operation}
      title={view.kind}
      note={`${view.route}, ${view.operation}`}
      right={
        <span className={styles["right"]}>
          <History view={view} now={now} />
          {change.allowed ? (
            <ButtonLink small href={`/policies/${view.operation}`}>
              Change {view.operation}
            </ButtonLink>
          ) : (
            <Button small notOffered={whyNotOffered(change)}>
              Change {view.operation}
            </Button>
          )}
        </span>
      }
    >
      {view.findings.map((finding) => (
        <p key={finding.message} className={styles["broken"]}>
          Contradiction: {settingsInWords(finding.message)}.
        </p>
      ))}
      {SETTING_GROUPS.map((group) => (
        <Group key={group.name} group={group} view={view} now={now} />
      ))}
    </Section>
  );
}

function History({ view, now }: OfPolicy) {
  if (view.changedAt === undefined) return <span>never changed</span>;
  const href = `/audit?action=policies.write&subjectId=${encodeURIComponent(view.operation)}&range=all`;
  return (
    <span>
      <Link href={href}>version {view.version}</Link>, {view.changedBy},{" "}
      <Time at={view.changedAt} now={now} form="ago" />
    </span>
  );
}

type OfPolicy = Pick<OperationPolicyProps, "view" | "now">;

function Group({ group, view, now }: OfPolicy & { readonly group: SettingGroup }) {
  const settings = group.fields.flatMap((field) => view.settings.filter((setting) => setting.field === field));
  return (
    <div className={styles["group"]}>
      <div className={styles["effects"]}>
        <h3>{group.name}</h3>
        {effectsOf(group, view.policy, view.provider).map((effect) => (
          <p key={effect}>{effect}</p>
        ))}
      </div>
      <dl className={styles["settings"]}>
        {settings.map((setting) => (
          <Setting key={setting.field} setting={setting} view={view} now={now} />
        ))}
      </dl>
    </div>
  );
}

function Setting({ setting, view, now }: OfPolicy & { readonly setting: SettingView }) {
  const { field, value, from, since, by } = setting;
  const risk = riskOf(field, view.policy, view.provider);
  const unused = unusedBecause(field, view.policy, view.provider);
  return (
    <div data-own={from === "tenant" || undefined} data-unused={unused !== undefined || undefined}>
      <dt>{SETTINGS[field].label}</dt>
      <dd>
        <b>{shownSetting(field, value)}</b>
        <span className={styles["from"]}>
          {layerWord(from)}
          {by !== undefined && `, ${by}`}
          {since !== undefined && (
            <>
              , <Time at={since} now={now} form="ago" />
            </>
          )}
          {from === "tenant" && `; else ${shownSetting(field, view.inherited[field])}`}
          {unused !== undefined && `, ${unused}`}
        </span>
        {risk !== undefined && <span className={styles["risk"]}>{risk}</span>}
      </dd>
    </div>
  );
}
