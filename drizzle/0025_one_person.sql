CREATE TABLE "onceboard"."operator_ties" (
	"operator_id" text NOT NULL,
	"tied_to" text NOT NULL,
	"why" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "operator_ties_operator_id_tied_to_why_pk" PRIMARY KEY("operator_id","tied_to","why"),
	CONSTRAINT "operator_ties_why" CHECK ("onceboard"."operator_ties"."why" in ('invited', 'link', 'second_factor', 'role'))
);
--> statement-breakpoint
CREATE TABLE "onceboard"."single_acts" (
	"tenant_id" text NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "onceboard"."single_acts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"actor" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"amount_minor" bigint,
	"currency" text,
	CONSTRAINT "single_acts_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);
--> statement-breakpoint
ALTER TABLE "onceboard"."api_keys" ADD COLUMN "holder" text;
--> statement-breakpoint
CREATE INDEX "operator_ties_at" ON "onceboard"."operator_ties" USING btree ("at");
--> statement-breakpoint
CREATE INDEX "single_acts_at" ON "onceboard"."single_acts" USING btree ("tenant_id","kind","at");
--> statement-breakpoint
-- Who had another's account in hand before this migration, as the access log knows it. Older entries are in the chains of tenants.
INSERT INTO "onceboard"."operator_ties" ("operator_id", "tied_to", "why", "at")
SELECT a.subject_id, a.actor_id, t.why, max(a.at) FROM "onceboard"."audit_entries" a
JOIN (VALUES ('operators.invite', 'invited'), ('operators.change_role', 'role'), ('operators.reset_two_factor', 'second_factor')) AS t(action, why)
	ON t.action = a.action
WHERE a.actor_kind = 'operator' AND a.subject_type = 'operator' AND a.subject_id <> a.actor_id AND a.after ->> 'changed' = 'true'
	AND a.at > clock_timestamp() - interval '366 days'
GROUP BY 1, 2, 3;
