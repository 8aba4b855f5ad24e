import { SimpleTable } from "@/components/table/simple-table";
import { Button } from "@/components/ui/button";
import { DialogLink } from "@/components/ui/place-link";
import { Id } from "@/components/ui/values/id";
import { Row } from "@/components/ui/row";
import { Section } from "@/components/ui/section";
import { Time } from "@/components/ui/values/time";
import type { EventSourceSecretView, EventSourcesView } from "@/presentation/views/event-sources";
import { EventSourceDialogs } from "./event-source-dialogs";

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
          whyNot === undefined ? (
            <DialogLink small dialog="source">
              Add a secret
            </DialogLink>
          ) : (
            <Row>
              <span className="small quiet">{whyNot}</span>
              <Button small notOffered={whyNot}>
                Add a secret
              </Button>
            </Row>
          )
        }
      >
        {secrets.length === 0 ? (
          <p className="small quiet">
            No source has a secret of its own. The provider signs with the one of the deployment.
          </p>
        ) : (
          <SimpleTable
            label="Event sources"
            columns={[
              { id: "source", header: "Source", phone: "left" },
              { id: "secret", header: "Secret", phone: "full" },
              { id: "since", header: "Since", align: "right", phone: "hidden" },
              { id: "until", header: "Holds until", align: "right", phone: "right" },
              { id: "act", header: "Actions", align: "right", phone: "full" },
            ]}
            rows={secrets.map((one) => ({
              id: `${one.source} ${one.secretId}`,
              cells: {
                source: one.source,
                secret: <Id value={one.secretId} plain />,
                since: <Time at={one.createdAt} now={at} form="day" />,
                until: <Until one={one} at={at} />,
                act: one.ended ? null : <Act one={one} whyNot={one.whyNotExpire ?? whyNot} />,
              },
            }))}
          />
        )}
      </Section>
      <EventSourceDialogs view={view} />
    </>
  );
}

function Until({ one, at }: { readonly one: EventSourceSecretView; readonly at: string }) {
  if (one.expiresAt === undefined) return <span className="small quiet">no end</span>;
  return (
    <span className={one.ended ? "small quiet" : "doubt"}>
      {one.ended ? "ended" : "ends"} <Time at={one.expiresAt} now={at} form="ago" />
    </span>
  );
}

function Act({ one, whyNot }: { readonly one: EventSourceSecretView; readonly whyNot: string | undefined }) {
  return (
    <Row end>
      {whyNot === undefined ? (
        <DialogLink small dialog={`expire:${one.source}/${one.secretId}`}>
          End it now
        </DialogLink>
      ) : (
        <Button small notOffered={whyNot}>
          End it now
        </Button>
      )}
    </Row>
  );
}
