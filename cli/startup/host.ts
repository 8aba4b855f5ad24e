import { createServer, type Server } from "node:http";
import { answerRequests, type Hosted } from "@/http/guard/answer-requests";

/** A server that does not listen yet (listen.ts). */
export function hostRequests(hosted: Hosted): Server {
  return createServer(answerRequests(hosted));
}

/**
 * For Next, which listens for `upgrade` on the server that it is told of and leaves such connections open. It is told of one that
 * never has any.
 */
export function noUpgrades(): Server {
  return createServer();
}
