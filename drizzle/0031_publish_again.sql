ALTER TABLE "onceboard"."outbox_messages" ADD COLUMN "republished" jsonb;--> statement-breakpoint
ALTER TABLE "onceboard"."outbox_history" ADD COLUMN "republished" jsonb;--> statement-breakpoint
-- onceboard: concurrently
CREATE INDEX CONCURRENTLY "outbox_history_id" ON "onceboard"."outbox_history" USING btree ("tenant_id","id");
