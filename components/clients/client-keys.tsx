import { column, SimpleTable } from "@/components/table/simple-table";
import { Offer } from "@/components/ui/offer";
import { Id } from "@/components/ui/values/id";
import { Row } from "@/components/ui/row";
import { Section } from "@/components/ui/section";
import { Time } from "@/components/ui/values/time";
import type { ClientDetail, ClientKeyView } from "@/presentation/views/clients";
import styles from "./clients.module.css";

export function ClientKeys({ detail }: { readonly detail: ClientDetail }) {
  const { keys, whyNot, choices } = detail;
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
          {off !== undefined && <span className={styles["off"]}>{off}</span>}
          <Offer small dialog="key" notOffered={off}>
            Make a key
          </Offer>
        </Row>
      }
    >
      {keys.length === 0 ? (
        <p className={styles["rule"]}>No key yet: nothing can call as this client.</p>
      ) : (
        <Table detail={detail} />
      )}
    </Section>
  );
}

function Table({ detail: { keys, whyNot, at } }: { readonly detail: ClientDetail }) {
  const isOver = ({ state }: ClientKeyView): boolean => state === "revoked" || state === "ended";
  return (
    <SimpleTable<ClientKeyView>
      label="Keys"
      rows={keys}
      columns={[
        column({ header: "Key" }, (one) => (
          <span className={styles["key"]} data-off={isOver(one) || undefined}>
            <Id value={one.id} />
          </span>
        )),
        column({ header: "Opens", phone: "full", wrap: true }, (one) => (
          <span className={styles["key"]} data-off={isOver(one) || undefined}>
            <span>{one.scopes.join(", ")}</span>
            <small>refusals as {one.profile}</small>
          </span>
        )),
        column({ header: "Made", phone: "hidden" }, ({ createdAt, createdBy }) => (
          <span className={styles["key"]}>
            <Time at={createdAt} now={at} form="day" />
            <small>{createdBy ?? "on the command line"}</small>
          </span>
        )),
        column({ header: "Last used", align: "right" }, ({ lastUsedAt }) =>
          lastUsedAt === undefined ? (
            <span className={styles["quiet"]}>never used</span>
          ) : (
            <Time at={lastUsedAt} now={at} form="ago" />
          ),
        ),
        column({ header: "Goes on until", align: "right", phone: "full" }, (one) => <Ends one={one} at={at} />),
        column({ header: "Actions", align: "right", phone: "full" }, (one) =>
          isOver(one) ? null : (
            <Row end>
              <Offer small dialog={`rotate:${one.id}`} notOffered={whyNot}>
                Rotate
              </Offer>
              <Offer small dialog={`revoke:${one.id}`} notOffered={whyNot}>
                Revoke
              </Offer>
            </Row>
          ),
        ),
      ]}
    />
  );
}

function Ends({ one, at }: { readonly one: ClientKeyView; readonly at: string }) {
  if (one.revokedAt !== undefined) {
    return (
      <span className={styles["quiet"]}>
        revoked <Time at={one.revokedAt} now={at} form="ago" />
        {one.revokedBy === undefined ? "" : ` by ${one.revokedBy}`}
      </span>
    );
  }
  if (one.expiresAt === undefined) return <span className={styles["quiet"]}>no end</span>;
  return (
    <span className={one.state === "ending" ? styles["doubt"] : styles["quiet"]}>
      {one.state === "ending" ? "ends" : "ended"} <Time at={one.expiresAt} now={at} form="ago" />
    </span>
  );
}
