/** How a client proves to Kafka who it is: what stands after `?sasl=` in KAFKA_URL. */
export const SASL_MECHANISMS = ["plain", "scram-sha-256", "scram-sha-512"] as const;
export type SaslMechanism = (typeof SASL_MECHANISMS)[number];

export interface KafkaAddress {
  readonly brokers: readonly { readonly host: string; readonly port: number }[];
  readonly tls: boolean;
  /** Undefined: the cluster asks nobody who they are. */
  readonly user?: { readonly name: string; readonly password: string; readonly mechanism: SaslMechanism };
  readonly token?: string;
}

const DEFAULT_PORT = 9092;

/**
 * @param text `kafka://user:password@host:9092?sasl=scram-sha-512`, several brokers separated by commas, of which the first says who
 *   we are and by which mechanism (`plain` without one); `kafkas://` wants TLS; a password without a user is a token (OAUTHBEARER)
 * @returns its parts, or what is wrong with it as the end of a sentence
 */
export function kafkaAddress(text: string): KafkaAddress | { readonly problem: string } {
  const parts = text.split(",").map((part) => part.trim());
  if (!parts.every((part) => /^kafkas?:\/\/[^/]/.test(part) && URL.canParse(part)))
    return { problem: "must be URLs such as kafka://host:9092 or kafkas://host:9093, separated by commas" };
  const urls = parts.map((part) => new URL(part));
  const [first] = urls;
  const [name, password] = [decoded(first?.username), decoded(first?.password)];
  const mechanism = first?.searchParams.get("sasl")?.toLowerCase() ?? "plain";
  if (name === undefined || password === undefined)
    return { problem: "has a user or a password that is not URL-encoded" };
  if (!isMechanism(mechanism)) return { problem: `must have one of ${SASL_MECHANISMS.join(", ")} after ?sasl=` };
  return {
    brokers: urls.map(({ hostname, port }) => ({ host: hostname, port: Number(port || DEFAULT_PORT) })),
    tls: urls.some(({ protocol }) => protocol === "kafkas:"),
    ...(name !== "" && { user: { name, password, mechanism } }),
    ...(name === "" && password !== "" && { token: password }),
  };
}

function isMechanism(text: string): text is SaslMechanism {
  return SASL_MECHANISMS.some((each) => each === text);
}

function decoded(text = ""): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
