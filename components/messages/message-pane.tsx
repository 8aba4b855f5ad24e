import Link from "next/link";
import type { ReactNode } from "react";
import { Chain } from "@/components/chain/chain";
import { RequeueButton } from "@/components/messages/message-cells";
import { ButtonLink } from "@/components/ui/button";
import { DataList } from "@/components/ui/data-list";
import { StateTag } from "@/components/ui/state-tag";
import { Verdict, type VerdictClause } from "@/components/ui/verdict";
import { hrefWith, type PageAddress } from "@/domain/page-address";
import type { GlyphName } from "@/domain/glyph";
import type { ActionView } from "@/domain/views/common";
import type { MessageCommon } from "@/domain/views/messages";
import styles from "./message-pane.module.css";

export interface MessagePaneProps {
  /** "payment.succeeded". */
  readonly name: string;
  readonly state: GlyphName;
  readonly clauses: readonly VerdictClause[];
  readonly chain: MessageCommon["chain"];
  readonly facts: readonly { readonly name: string; readonly value: ReactNode }[];
  /** Its own page. */
  readonly href: string;
  /** Value of `dialog=` that requeues it, where that may be asked for. */
  readonly dialog: string;
  readonly requeue: ActionView | undefined;
  readonly address: PageAddress;
}

/** The current message, beside the list: verdict, chain, what is known. */
export function MessagePane(props: MessagePaneProps) {
  const { name, state, clauses, chain, facts, href, dialog, requeue, address } = props;
  return (
    <>
      <Walk href={href} address={address} />
      <div className={styles["head"]}>
        <b>{name}</b>
        <StateTag name={state} />
      </div>
      <Verdict as="h2" size="pane" clauses={clauses} />
      <div className={styles["chain"]}>
        <Chain stations={chain.stations} gap={chain.gap} compact />
      </div>
      <div className={styles["block"]}>
        <h3>Facts</h3>
        <DataList right items={facts} />
      </div>
      <div className={styles["actions"]}>
        <ButtonLink wide href={href}>
          Open page
        </ButtonLink>
        {requeue !== undefined && (
          <RequeueButton
            primary
            name={dialog}
            address={address}
            whyNot={requeue.allowed ? undefined : (requeue.whyNot ?? "Not offered now.")}
          />
        )}
      </div>
    </>
  );
}

/** The address names a message that is not there, or did not load. */
export function NoMessage({ address }: { readonly address: PageAddress }) {
  return (
    <>
      <Walk address={address} />
      <p className={styles["none"]}>
        This message is not here. It was purged, its address is wrong, or it belongs to another tenant.
      </p>
    </>
  );
}

function Walk({ href, address }: { readonly href?: string; readonly address: PageAddress }) {
  return (
    <div className={styles["walk"]}>
      <span>
        Walk with <kbd>j</kbd> <kbd>k</kbd>, open with <kbd>↵</kbd>
      </span>
      {href !== undefined && <Link href={href}>Open page</Link>}
      <Link href={hrefWith(address, { open: undefined, row: undefined })} scroll={false}>
        Close
      </Link>
    </div>
  );
}
