import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";

/** What the issuer says of a person. */
export interface Claims {
  readonly sub: string;
  readonly email: string;
  readonly email_verified: boolean;
  readonly name: string;
  readonly role?: unknown;
}

export interface OidcIssuer {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Who signs in there from now on. */
  person: Claims;
  /** Follows the way of a browser through sign-in and consent. @returns the address that it is sent back to */
  signIn(url: string): Promise<string>;
  close(): Promise<void>;
}

const CLIENT = { id: "onceboard", secret: "a client secret of a test, 32 long" };
const MAX_STEPS = 12;

/** A real OpenID Connect issuer on a free port, which lets `person` in without asking. */
export async function startIssuer(redirectUri: string, person: Claims): Promise<OidcIssuer> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const people = new Map<string, Claims>();
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [redirectUri],
        grant_types: ["authorization_code"],
        response_types: ["code"],
      },
    ],
    pkce: { required: () => true },
    conformIdTokenClaims: false,
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "role"] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_ctx, id) => ({
      accountId: id,
      claims: () => ({ ...(people.get(id) ?? { sub: id }) }),
    }),
  });
  const result: OidcIssuer = {
    issuer,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    person,
    signIn: (url) => follow(url, redirectUri),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
  const callback = provider.callback();
  server.on("request", (request: IncomingMessage, response) => {
    if (request.url?.startsWith("/interaction/") !== true) {
      void callback(request, response);
      return;
    }
    void (async () => {
      const { prompt, params, session } = await provider.interactionDetails(request, response);
      people.set(result.person.sub, result.person);
      if (prompt.name === "login") {
        await provider.interactionFinished(request, response, { login: { accountId: result.person.sub } });
        return;
      }
      const grant = new provider.Grant({ accountId: session?.accountId ?? "", clientId: String(params["client_id"]) });
      grant.addOIDCScope(String(params["scope"]));
      await provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
    })();
  });
  return result;
}

async function follow(start: string, redirectUri: string): Promise<string> {
  const jar = new Map<string, string>();
  let url = start;
  for (let step = 0; step < MAX_STEPS; step += 1) {
    if (url.startsWith(redirectUri)) return url;
    const answer = await fetch(url, {
      redirect: "manual",
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; ") },
    });
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      jar.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
    }
    const next = answer.headers.get("location");
    if (next === null) throw new Error(`the issuer stopped: ${String(answer.status)} ${await answer.text()}`);
    url = new URL(next, url).href;
  }
  throw new Error("the issuer did not end");
}
