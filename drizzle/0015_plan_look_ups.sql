ALTER TABLE "onceboard"."plan_items" ADD COLUMN "look_up" text;--> statement-breakpoint
ALTER TABLE "onceboard"."plan_items" ADD COLUMN "look_up_detail" text;--> statement-breakpoint
ALTER TABLE "onceboard"."plan_items" ADD COLUMN "looked_up_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "onceboard"."plan_items" ADD COLUMN "canary_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "onceboard"."plan_items" ADD COLUMN "canary_answer" text;--> statement-breakpoint
ALTER TABLE "onceboard"."plan_items" ADD COLUMN "canary_detail" text;--> statement-breakpoint
ALTER TABLE "onceboard"."plan_items" ADD COLUMN "canary_answered_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "onceboard"."plans" ADD COLUMN "look_ups" text;--> statement-breakpoint
ALTER TABLE "onceboard"."plans" ADD COLUMN "look_ups_began_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "onceboard"."plans" ADD COLUMN "look_ups_ended_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "onceboard"."plans" ADD COLUMN "canary" text;--> statement-breakpoint
CREATE INDEX "plan_items_unasked" ON "onceboard"."plan_items" USING btree ("tenant_id","plan_id","position") WHERE look_up = 'waiting';--> statement-breakpoint
CREATE INDEX "plans_asking" ON "onceboard"."plans" USING btree ("tenant_id","created_at") WHERE look_ups = 'asking';--> statement-breakpoint
ALTER TABLE "onceboard"."plan_items" ADD CONSTRAINT "plan_items_canary" CHECK ("onceboard"."plan_items"."canary_answer" in ('delivered', 'died', 'silent'));--> statement-breakpoint
ALTER TABLE "onceboard"."plan_items" ADD CONSTRAINT "plan_items_look_up" CHECK ("onceboard"."plan_items"."look_up" in ('completes', 'fails', 'frees', 'unknown', 'not_asked', 'waiting'));--> statement-breakpoint
ALTER TABLE "onceboard"."plans" ADD CONSTRAINT "plans_canary" CHECK ("onceboard"."plans"."canary" in ('due', 'true', 'failed'));--> statement-breakpoint
ALTER TABLE "onceboard"."plans" ADD CONSTRAINT "plans_look_ups" CHECK ("onceboard"."plans"."look_ups" in ('asking', 'asked', 'stopped'));