"use client";

import { useZone } from "@/components/ui/values/use-zone";
import { formatClock } from "@/presentation/format/display-time";
import shared from "@/components/ui/shared.module.css";
import styles from "./operation.module.css";

export interface EvidenceItem {
  readonly ref: string;
  readonly label: string;
  readonly at?: string | undefined;
}

export interface SettleEvidenceProps {
  readonly evidence: readonly EvidenceItem[];
  /** Whether the provider can be asked for more of it. */
  readonly askable: boolean;
  readonly wantsReference: boolean;
  readonly off: boolean;
}

const MAX_TEXT = 500;

/** What a decision rests on: what the sources say, and what the person saw elsewhere, where no source can say it. */
export function SettleEvidence({ evidence, askable, wantsReference, off }: SettleEvidenceProps) {
  const zone = useZone();
  return (
    <>
      <span className={shared["label"]}>Evidence to attach</span>
      {evidence.length === 0 && (
        <p className={shared["note"]}>
          No source says anything{askable ? " yet. Ask the provider first, or name" : ". Name"} what you have seen.
        </p>
      )}
      {evidence.map((item) => (
        <label key={item.ref} className={styles["attach"]}>
          <input type="checkbox" name="evidence" value={item.ref} defaultChecked disabled={off} />
          <span>
            {item.label}
            {item.at !== undefined && <i>, {formatClock(item.at, zone)}</i>}
          </span>
        </label>
      ))}
      <TextLine name="other" label="Evidence from elsewhere" hint="Provider's statement, line 7" off={off} />
      {wantsReference && (
        <TextLine
          name="providerReference"
          label="Provider's reference, if the evidence names it"
          hint="A refund is made against it"
          off={off}
        />
      )}
    </>
  );
}

interface TextLineProps {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly off: boolean;
}

function TextLine({ name, label, hint, off }: TextLineProps) {
  return (
    <label>
      <span className={shared["label"]}>{label}</span>
      <input name={name} className={styles["line"]} placeholder={hint} maxLength={MAX_TEXT} disabled={off} />
    </label>
  );
}
