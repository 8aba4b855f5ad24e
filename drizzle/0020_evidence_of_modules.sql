CREATE TABLE "onceboard"."evidence_constraints" (
	"owner" text NOT NULL,
	"name" text NOT NULL,
	"relation" text NOT NULL,
	"columns" text[] NOT NULL,
	CONSTRAINT "evidence_constraints_owner_name_pk" PRIMARY KEY("owner","name")
);
--> statement-breakpoint
CREATE TABLE "onceboard"."evidence_relations" (
	"owner" text NOT NULL,
	"holds" text NOT NULL,
	"relation" text NOT NULL,
	CONSTRAINT "evidence_relations_holds_relation_pk" PRIMARY KEY("holds","relation"),
	CONSTRAINT "evidence_relations_holds" CHECK ("onceboard"."evidence_relations"."holds" in ('effects', 'entries'))
);
--> statement-breakpoint
CREATE TABLE "onceboard"."module_migrations" (
	"module" text NOT NULL,
	"name" text NOT NULL,
	"hash" text NOT NULL,
	"applied_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "module_migrations_module_name_pk" PRIMARY KEY("module","name")
);
--> statement-breakpoint
-- Tables of the example module leave this schema. With rows they move to its own; empty, as on a new database, they go, and the
-- module's own migrations make them where it runs.
DO $$
DECLARE
	v_used boolean;
	v_table text;
BEGIN
	SELECT EXISTS (SELECT FROM "onceboard"."accounts") OR EXISTS (SELECT FROM "onceboard"."payments")
		OR EXISTS (SELECT FROM "onceboard"."refunds") OR EXISTS (SELECT FROM "onceboard"."voids")
		OR EXISTS (SELECT FROM "onceboard"."ledger_entries") INTO v_used;
	IF v_used THEN
		CREATE SCHEMA IF NOT EXISTS "payments";
	END IF;
	FOREACH v_table IN ARRAY ARRAY['accounts', 'payments', 'refunds', 'voids', 'ledger_entries'] LOOP
		EXECUTE format(CASE WHEN v_used THEN 'ALTER TABLE onceboard.%I SET SCHEMA payments' ELSE 'DROP TABLE onceboard.%I' END, v_table);
	END LOOP;
END $$;
--> statement-breakpoint
-- Without a module nothing is in them: compose_evidence replaces them.
CREATE VIEW "onceboard"."effects" AS
SELECT null::text AS tenant_id, null::uuid AS operation_id, null::text AS kind, null::text AS id,
	null::uuid AS id_as_uuid, null::text AS id_as_text, null::text AS status, null::text AS account, null::text AS reference,
	null::text AS belongs_to, null::uuid AS belongs_to_as_uuid, null::text AS belongs_to_as_text, null::bigint AS amount_minor,
	null::text AS currency, null::bigint AS returned_minor, null::text AS provider_key, null::text AS provider_reference,
	null::timestamptz AS created_at
WHERE false;
--> statement-breakpoint
CREATE VIEW "onceboard"."entries" AS
SELECT null::text AS tenant_id, null::uuid AS operation_id, null::text AS id, null::uuid AS id_as_uuid,
	null::text AS id_as_text, null::text AS kind, null::text AS source_id, null::uuid AS source_id_as_uuid,
	null::text AS source_id_as_text, null::text AS debit_account, null::text AS credit_account, null::bigint AS amount_minor,
	null::text AS currency, null::timestamptz AS posted_at
WHERE false;
