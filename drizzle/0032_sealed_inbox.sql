ALTER TABLE "onceboard"."inbox_messages" ADD COLUMN "document_hash" "bytea";--> statement-breakpoint
ALTER TABLE "onceboard"."inbox_messages" ADD COLUMN "provider_key" text;--> statement-breakpoint
ALTER TABLE "onceboard"."inbox_messages" ADD COLUMN "provider_status" text;