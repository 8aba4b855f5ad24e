import { CodeBlock } from "@/components/ui/values/masked";
import { Note } from "@/components/ui/row";
import { Section } from "@/components/ui/section";
import shared from "@/components/outbox/messages.module.css";
import type { MessageDetail } from "@/presentation/views/messages";
import { plural } from "@/presentation/format/words";

export interface MessageBodyProps {
  readonly title: string;
  readonly note: string;
  readonly fields: readonly { readonly name: string; readonly value: string; readonly masked: boolean }[];
  readonly message: Pick<MessageDetail, "headers" | "hiddenHeaders">;
}

/** Body and headers of a message, field by field; signatures are never shown. */
export function MessageBody({ title, note, fields, message }: MessageBodyProps) {
  const { headers, hiddenHeaders } = message;
  return (
    <Section title={title} note={note}>
      <CodeBlock lines={fields.map((field) => ({ name: field.name, value: field.masked ? undefined : field.value }))} />
      {headers.length + hiddenHeaders > 0 && (
        <div className={shared["headers"]}>
          <Note>Headers{hiddenHeaders > 0 && `, ${plural(hiddenHeaders, "other")} not shown`}</Note>
          {headers.length > 0 && <CodeBlock lines={headers} />}
        </div>
      )}
    </Section>
  );
}
