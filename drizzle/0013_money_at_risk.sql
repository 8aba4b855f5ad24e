CREATE TABLE "onceboard"."deploys" (
	"tenant_id" text NOT NULL,
	"id" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"service" text NOT NULL,
	"version" text NOT NULL,
	"link" text,
	"reported_by" text NOT NULL,
	"reported_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "deploys_tenant_id_id_pk" PRIMARY KEY("tenant_id","id"),
	CONSTRAINT "deploys_lengths" CHECK (length("onceboard"."deploys"."service") between 1 and 100 and length("onceboard"."deploys"."version") between 1 and 100)
);
--> statement-breakpoint
CREATE TABLE "onceboard"."settled_doubts" (
	"tenant_id" text NOT NULL,
	"operation_id" uuid NOT NULL,
	"operation" text NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"until" timestamp with time zone NOT NULL,
	"amount_minor" bigint,
	"currency" text,
	CONSTRAINT "settled_doubts_tenant_id_operation_id_since_pk" PRIMARY KEY("tenant_id","operation_id","since"),
	CONSTRAINT "settled_doubts_order" CHECK ("onceboard"."settled_doubts"."since" <= "onceboard"."settled_doubts"."until")
);
--> statement-breakpoint
CREATE INDEX "deploys_at" ON "onceboard"."deploys" USING btree ("tenant_id","at");--> statement-breakpoint
CREATE INDEX "settled_doubts_until" ON "onceboard"."settled_doubts" USING btree ("tenant_id","until");--> statement-breakpoint
CREATE INDEX "audit_entries_marks" ON "onceboard"."audit_entries" USING btree ("tenant_id","at") WHERE action in ('policies.write', 'topics.pause', 'topics.resume', 'webhook_endpoints.disable', 'webhook_endpoints.enable');--> statement-breakpoint
-- What ended within the longest chart, as its events say; whoever entered before events were kept is left out.
INSERT INTO "onceboard"."settled_doubts" ("tenant_id", "operation_id", "operation", "since", "until", "amount_minor", "currency")
SELECT e."tenant_id", e."operation_id", e."operation", b."since", min(e."at"), r."amount_minor", r."currency"
FROM "onceboard"."idempotency_events" e
CROSS JOIN LATERAL (
	SELECT max(x."at") AS "since" FROM "onceboard"."idempotency_events" x
	WHERE x."tenant_id" = e."tenant_id" AND x."operation_id" = e."operation_id" AND x."at" <= e."at"
		AND ((x."type" = 'unknown' AND x."code" = 'dependency.timeout')
			OR (x."type" = 'reconciled' AND x."detail" ->> 'from' = 'IN_PROGRESS' AND x."detail" ->> 'to' = 'UNKNOWN_REQUIRES_RECOVERY'))) b
JOIN "onceboard"."idempotency_requests" r ON r."tenant_id" = e."tenant_id" AND r."operation_id" = e."operation_id"
WHERE e."day" >= (now() AT TIME ZONE 'utc')::date - 2 AND e."at" >= now() - interval '26 hours'
	AND e."type" IN ('reconciled', 'resolved') AND e."detail" ->> 'from' = 'UNKNOWN_REQUIRES_RECOVERY'
	AND e."detail" ->> 'to' <> 'UNKNOWN_REQUIRES_RECOVERY' AND b."since" IS NOT NULL
GROUP BY e."tenant_id", e."operation_id", e."operation", b."since", r."amount_minor", r."currency"
ON CONFLICT DO NOTHING;
