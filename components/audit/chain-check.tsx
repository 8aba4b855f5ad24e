import { ButtonLink } from "@/components/ui/button";
import { Note } from "@/components/ui/row";
import { Section } from "@/components/ui/section";
import { StateTag } from "@/components/ui/state-tag";
import { Time } from "@/components/ui/time";
import { formatCount } from "@/domain/display-time";
import { hrefWith, type PageAddress } from "@/domain/page-address";
import type { AuditVerification } from "@/domain/views/audit";
import styles from "./audit.module.css";

export interface ChainCheckProps {
  readonly verification: AuditVerification | undefined;
  readonly address: PageAddress;
  readonly now: string;
}

/** Whether anything in the audit was changed since it was written: walked on request, over the whole chain. */
export function ChainCheck({ verification, address, now }: ChainCheckProps) {
  return (
    <div className={styles["check"]}>
      <Section quiet space="none" title="The chain">
        {verification !== undefined && <Result verification={verification} now={now} />}
        <Note>
          Each entry's hash covers the entry before it, so a changed, removed or inserted one breaks every hash behind
          it.
        </Note>
        <div className={styles["button"]}>
          <ButtonLink
            small
            stay
            href={hrefWith(address, {
              verify: verification === undefined ? "now" : String(Date.parse(verification.at)),
            })}
          >
            {verification === undefined ? "Verify the whole chain" : "Verify again"}
          </ButtonLink>
        </div>
      </Section>
    </div>
  );
}

function Result({ verification, now }: { readonly verification: AuditVerification; readonly now: string }) {
  const { result, checked, brokenAt, why, at } = verification;
  const count = `${formatCount(Number(checked))} ${checked === "1" ? "entry" : "entries"}`;
  return (
    <div className={styles["result"]} role="status">
      {result === "holds" && <StateTag name="proven">Unchanged, {count} checked</StateTag>}
      {result === "broken" && <StateTag name="dead">Broken at entry #{brokenAt ?? "?"}</StateTag>}
      {result === "unfinished" && (
        <StateTag name="skipped" tone="doubt">
          Not finished in time
        </StateTag>
      )}
      <Note>
        {result === "broken" && `${why ?? "Its hash does not fit."} ${count} checked. `}
        {result === "unfinished" && "Nothing is said about what was not walked. "}
        Checked <Time at={at} now={now} form="clock" />.
      </Note>
    </div>
  );
}
