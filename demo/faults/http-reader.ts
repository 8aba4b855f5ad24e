import type { WireReader } from "./tap-proxy";

const REQUEST_LINE = /^([A-Z]+) (\S+) HTTP\/1\.1\r\n/;

/** Labels are `METHOD path`, one as each request begins. HTTP/1.1 without pipelining: what follows an answer is a new one. */
export const httpReader: WireReader = () => {
  let asking = false;
  return {
    sent(chunk) {
      if (asking) return [];
      asking = true;
      const [, method, path] = REQUEST_LINE.exec(chunk.toString("latin1")) ?? [];
      return method === undefined || path === undefined ? [] : [`${method} ${path}`];
    },
    answered() {
      asking = false;
    },
  };
};
