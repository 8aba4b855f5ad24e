const VERSION = 2;
/** Version, time in seconds, length of the key's name. */
const HEAD_BYTES = 7;
const MS_PER_SECOND = 1_000;

/** What a service wrapped, with what is needed to ask it again. */
export interface WrappedByService {
  /** As the service names it: at most 65,535 bytes. */
  readonly key: string;
  /** Milliseconds since 1970 when it was wrapped; seconds are kept. */
  readonly atMs: number;
  readonly ciphertext: Uint8Array;
}

export function writeWrapped({ key, atMs, ciphertext }: WrappedByService): Buffer {
  const name = Buffer.from(key);
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt8(VERSION);
  head.writeUInt32BE(Math.floor(atMs / MS_PER_SECOND), 1);
  head.writeUInt16BE(name.length, 5);
  return Buffer.concat([head, name, ciphertext]);
}

/** @throws Error when another kind of key store wrote it */
export function readWrapped(wrapped: Uint8Array): WrappedByService {
  const bytes = Buffer.from(wrapped);
  if (bytes[0] !== VERSION || bytes.length < HEAD_BYTES) throw new Error("this was not wrapped by a service");
  const end = HEAD_BYTES + bytes.readUInt16BE(5);
  return {
    key: bytes.subarray(HEAD_BYTES, end).toString(),
    atMs: bytes.readUInt32BE(1) * MS_PER_SECOND,
    ciphertext: bytes.subarray(end),
  };
}
