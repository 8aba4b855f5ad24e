CREATE TABLE "onceboard"."operator_grants" (
	"operator_id" text NOT NULL,
	"tenant_id" text NOT NULL,
	"role" text NOT NULL,
	"granted_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "operator_grants_operator_id_tenant_id_pk" PRIMARY KEY("operator_id","tenant_id")
);
--> statement-breakpoint
ALTER TABLE "onceboard"."operators" ALTER COLUMN "role" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "onceboard"."operators" ALTER COLUMN "role" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "onceboard"."operator_grants" ADD CONSTRAINT "operator_grants_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "onceboard"."operators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "onceboard"."operator_grants" ADD CONSTRAINT "operator_grants_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "onceboard"."tenants"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "operator_grants_tenant" ON "onceboard"."operator_grants" USING btree ("tenant_id");