import { expect, it } from "vitest";
import { HOSTS, openHost } from "../testing/host";

it.each(HOSTS.filter((name) => name !== "next"))(
  "ACCESS-11 every answer of the API asks for TLS where people come over it (%s), and none where they do not",
  async (name) => {
    for (const [publicUrl, value] of [
      ["https://ops.example.com", "max-age=31536000"],
      ["http://ops.example.com", undefined],
    ] as const) {
      const host = await openHost(name, { env: { PUBLIC_URL: publicUrl } });
      try {
        for (const path of ["/api/health/live", "/api/v1/payments/none", "/api/nothing"])
          expect([path, (await host.call({ path })).headers["strict-transport-security"]]).toEqual([path, value]);
      } finally {
        await host.close();
      }
    }
  },
);
