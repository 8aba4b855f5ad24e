/** Ends with 0 when the process of this container answers: the console and API, or what HEALTH_URL names, such as the metrics of a worker. */
const ANSWER_LIMIT_MS = 4_000;
const { PORT = "3000", BASE_PATH = "", LISTEN_HOST = "127.0.0.1", METRICS_TOKEN } = process.env;
const host = LISTEN_HOST.includes(":") ? `[${LISTEN_HOST}]` : LISTEN_HOST;
const url = process.env.HEALTH_URL ?? `http://${host}:${PORT}${BASE_PATH}/api/health/live`;

try {
  const { ok } = await fetch(url, {
    // Only the metrics ask for it.
    headers: METRICS_TOKEN && process.env.HEALTH_URL ? { authorization: `Bearer ${METRICS_TOKEN}` } : {},
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
  });
  process.exitCode = ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
