/** SQL of the columns that a message's envelope is made of. */
export interface SentColumns {
  readonly id: string;
  readonly type: string;
  readonly aggregateType: string;
  readonly aggregateId: string;
  /** jsonb `{id, type, tenant, occurredAt, data}`, whose data has no object in it. */
  readonly payload: string;
  readonly position: string;
}

const text = (value: string): string => `to_json((${value})::text)::text`;
/** As `outboxBody` writes a sequence. */
const sequence = (position: string): string => `lpad((${position})::text, 20, '0')`;

/**
 * @returns SQL of the SHA-256 of what `outboxBody` sends of such a message, which an inbox keeps with it, so that made-up rows of both sides
 *   agree. `$1` tenant. `seed.db.test.ts` holds it against `outboxBody`
 */
export function sentHash({ id, type, aggregateType, aggregateId, payload, position }: SentColumns): string {
  const data = `(select '{' || string_agg(to_json(d.key)::text || ':' || d.value::text, ',') || '}' from jsonb_each((${payload}) -> 'data') d)`;
  const parts = [
    `'{"specversion":"1.0","id":' || ${text(id)}`,
    `',"type":' || ${text(type)}`,
    `',"tenant":' || ${text("$1::text")}`,
    `',"source":' || ${text("'/onceboard/' || $1::text")}`,
    `',"subject":' || ${text(`(${aggregateType}) || '/' || (${aggregateId})`)}`,
    `',"time":' || ((${payload}) -> 'occurredAt')::text`,
    `',"datacontenttype":"application/json","sequence":' || ${text(sequence(position))}`,
    `',"data":' || ${data} || '}'`,
  ];
  return `sha256(convert_to(${parts.join(" || ")}, 'utf8'))`;
}
