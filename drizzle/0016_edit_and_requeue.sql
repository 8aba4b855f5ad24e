CREATE TABLE "onceboard"."message_corrections" (
	"tenant_id" text NOT NULL,
	"plan_id" uuid NOT NULL,
	"message_id" uuid NOT NULL,
	"dead_letter_id" uuid NOT NULL,
	"body" "bytea",
	"bytes" integer NOT NULL,
	"changes" jsonb NOT NULL,
	"new_message_id" uuid,
	CONSTRAINT "message_corrections_tenant_id_plan_id_pk" PRIMARY KEY("tenant_id","plan_id")
);
--> statement-breakpoint
ALTER TABLE "onceboard"."dead_letters" DROP CONSTRAINT "dead_letters_settlement";--> statement-breakpoint
ALTER TABLE "onceboard"."dead_letters" ADD COLUMN "corrected_by" uuid;--> statement-breakpoint
CREATE UNIQUE INDEX "message_corrections_waiting" ON "onceboard"."message_corrections" USING btree ("tenant_id","message_id") WHERE body is not null;--> statement-breakpoint
ALTER TABLE "onceboard"."dead_letters" ADD CONSTRAINT "dead_letters_corrected" CHECK (("onceboard"."dead_letters"."settlement" is not distinct from 'corrected') = ("onceboard"."dead_letters"."corrected_by" is not null));--> statement-breakpoint
ALTER TABLE "onceboard"."dead_letters" ADD CONSTRAINT "dead_letters_settlement" CHECK ("onceboard"."dead_letters"."settlement" in ('requeued', 'closed', 'discarded', 'corrected'));