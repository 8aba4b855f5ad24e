import { column, SimpleTable } from "@/components/table/simple-table";
import { Offer } from "@/components/ui/offer";
import { Id } from "@/components/ui/values/id";
import { Row } from "@/components/ui/row";
import { Section } from "@/components/ui/section";
import { Time } from "@/components/ui/values/time";
import type { EventSourceSecretView, EventSourcesView } from "@/presentation/views/event-sources";
import { EventSourceDialogs } from "./webhook-dialogs";
import styles from "./webhooks.module.css";

/** Who may send signed events here, and the secrets that hold now; a secret is shown where it is made and nowhere else. */
export function EventSources({ view }: { readonly view: EventSourcesView }) {
  const { secrets, at, whyNot } = view;
  return (
    <>
      <Section
        id="sources"
        title="Event sources"
        note="whose signed events the inbox takes"
        right={
          <Row>
            {whyNot !== undefined && <span className={styles["off"]}>{whyNot}</span>}
            <Offer small dialog="source" notOffered={whyNot}>
              Add a secret
            </Offer>
          </Row>
        }
      >
        {secrets.length === 0 ? (
          <p className={styles["quiet"]}>
            No source has a secret of its own. The provider signs with the one of the deployment.
          </p>
        ) : (
          <SimpleTable<EventSourceSecretView>
            label="Event sources"
            rows={secrets}
            idOf={({ source, secretId }) => `${source} ${secretId}`}
            columns={[
              column({ header: "Source" }, ({ source }) => source),
              column({ header: "Secret", phone: "full" }, ({ secretId }) => <Id value={secretId} plain />),
              column({ header: "Since", align: "right", phone: "hidden" }, ({ createdAt }) => (
                <Time at={createdAt} now={at} form="day" />
              )),
              column({ header: "Holds until", align: "right" }, (one) => <Until one={one} at={at} />),
              column({ header: "Actions", align: "right", phone: "full" }, (one) =>
                one.ended ? null : (
                  <Row end>
                    <Offer
                      small
                      dialog={`expire:${one.source}/${one.secretId}`}
                      notOffered={one.whyNotExpire ?? whyNot}
                    >
                      End it now
                    </Offer>
                  </Row>
                ),
              ),
            ]}
          />
        )}
      </Section>
      <EventSourceDialogs view={view} />
    </>
  );
}

function Until({ one, at }: { readonly one: EventSourceSecretView; readonly at: string }) {
  if (one.expiresAt === undefined) return <span className={styles["quiet"]}>no end</span>;
  return (
    <span className={one.ended ? styles["quiet"] : styles["doubt"]}>
      {one.ended ? "ended" : "ends"} <Time at={one.expiresAt} now={at} form="ago" />
    </span>
  );
}
