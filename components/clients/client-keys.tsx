import { SimpleTable } from "@/components/table/simple-table";
import { Offer } from "@/components/ui/offer";
import { Id } from "@/components/ui/values/id";
import { Row } from "@/components/ui/row";
import { Section } from "@/components/ui/section";
import { Time } from "@/components/ui/values/time";
import type { ClientDetail, ClientKeyView } from "@/presentation/views/clients";
import styles from "./clients.module.css";

export function ClientKeys({ detail }: { readonly detail: ClientDetail }) {
  const { keys, whyNot, choices, at } = detail;
  const open = keys.filter(({ state }) => state === "live" || state === "ending").length;
  const off =
    whyNot ??
    (open >= choices.maxLiveKeys ? `A client has at most ${String(choices.maxLiveKeys)} keys at once.` : undefined);
  return (
    <Section
      id="keys"
      title="Keys"
      note={`${String(open)} open`}
      right={
        <Row>
          {off !== undefined && <span className="small quiet">{off}</span>}
          <Offer small dialog="key" notOffered={off}>
            Make a key
          </Offer>
        </Row>
      }
    >
      {keys.length === 0 ? (
        <p className={styles["rule"]}>No key yet: nothing can call as this client.</p>
      ) : (
        <SimpleTable
          label="Keys"
          columns={[
            { id: "key", header: "Key", phone: "left" },
            { id: "opens", header: "Opens", phone: "full", wrap: true },
            { id: "made", header: "Made", phone: "hidden" },
            { id: "used", header: "Last used", align: "right", phone: "right" },
            { id: "ends", header: "Goes on until", align: "right", phone: "full" },
            { id: "act", header: "Actions", align: "right", phone: "full" },
          ]}
          rows={keys.map((one) => ({ id: one.id, cells: cells(one, at, whyNot) }))}
        />
      )}
    </Section>
  );
}

function cells(one: ClientKeyView, at: string, whyNot: string | undefined) {
  const over = one.state === "revoked" || one.state === "ended";
  return {
    key: (
      <span className={styles["key"]} data-off={over || undefined}>
        <Id value={one.id} />
      </span>
    ),
    opens: (
      <span className={styles["key"]} data-off={over || undefined}>
        <span>{one.scopes.join(", ")}</span>
        <small>refusals as {one.profile}</small>
      </span>
    ),
    made: (
      <span className={styles["key"]}>
        <Time at={one.createdAt} now={at} form="day" />
        <small>{one.createdBy ?? "on the command line"}</small>
      </span>
    ),
    used:
      one.lastUsedAt === undefined ? (
        <span className="quiet">never used</span>
      ) : (
        <Time at={one.lastUsedAt} now={at} form="ago" />
      ),
    ends: <Ends one={one} at={at} />,
    act: over ? null : (
      <Row end>
        <Offer small dialog={`rotate:${one.id}`} notOffered={whyNot}>
          Rotate
        </Offer>
        <Offer small dialog={`revoke:${one.id}`} notOffered={whyNot}>
          Revoke
        </Offer>
      </Row>
    ),
  };
}

function Ends({ one, at }: { readonly one: ClientKeyView; readonly at: string }) {
  if (one.revokedAt !== undefined) {
    return (
      <span className="quiet">
        revoked <Time at={one.revokedAt} now={at} form="ago" />
        {one.revokedBy === undefined ? "" : ` by ${one.revokedBy}`}
      </span>
    );
  }
  if (one.expiresAt === undefined) return <span className="quiet">no end</span>;
  return (
    <span className={one.state === "ending" ? "bold doubt" : "quiet"}>
      {one.state === "ending" ? "ends" : "ended"} <Time at={one.expiresAt} now={at} form="ago" />
    </span>
  );
}
