CREATE INDEX "idempotency_events_became_unknown" ON "onceboard"."idempotency_events" USING btree ("tenant_id","at") WHERE ((type = 'unknown' and code = 'dependency.timeout') or (type = 'reconciled' and detail ->> 'from' = 'IN_PROGRESS' and detail ->> 'to' = 'UNKNOWN_REQUIRES_RECOVERY'));--> statement-breakpoint
CREATE INDEX "metric_minutes_became_unknown" ON "onceboard"."metric_minutes" USING btree ("tenant_id","bucket") WHERE outcome = 'unknown_entered';--> statement-breakpoint
CREATE INDEX "settled_doubts_span" ON "onceboard"."settled_doubts" USING gist (tstzrange(since, until));--> statement-breakpoint
-- What ended as long ago as doubts are kept, as its events say, but for what is there already.
INSERT INTO "onceboard"."settled_doubts" ("tenant_id", "operation_id", "operation", "since", "until", "amount_minor", "currency")
SELECT e."tenant_id", e."operation_id", e."operation", b."since", min(e."at"), r."amount_minor", r."currency"
FROM "onceboard"."idempotency_events" e
CROSS JOIN LATERAL (
	SELECT max(x."at") AS "since" FROM "onceboard"."idempotency_events" x
	WHERE x."tenant_id" = e."tenant_id" AND x."operation_id" = e."operation_id" AND x."at" <= e."at"
		AND ((x."type" = 'unknown' AND x."code" = 'dependency.timeout')
			OR (x."type" = 'reconciled' AND x."detail" ->> 'from' = 'IN_PROGRESS' AND x."detail" ->> 'to' = 'UNKNOWN_REQUIRES_RECOVERY'))) b
JOIN "onceboard"."idempotency_requests" r ON r."tenant_id" = e."tenant_id" AND r."operation_id" = e."operation_id"
WHERE e."day" >= (now() AT TIME ZONE 'utc')::date - 31 AND e."at" >= now() - interval '31 days'
	AND e."type" IN ('reconciled', 'resolved') AND e."detail" ->> 'from' = 'UNKNOWN_REQUIRES_RECOVERY'
	AND e."detail" ->> 'to' <> 'UNKNOWN_REQUIRES_RECOVERY' AND b."since" IS NOT NULL
	AND NOT EXISTS (
		SELECT 1 FROM "onceboard"."settled_doubts" s
		WHERE s."tenant_id" = e."tenant_id" AND s."operation_id" = e."operation_id"
			AND s."since" <= e."at" + interval '1 minute' AND s."until" >= b."since" - interval '1 minute')
GROUP BY e."tenant_id", e."operation_id", e."operation", b."since", r."amount_minor", r."currency"
ON CONFLICT DO NOTHING;
