-- onceboard: concurrently
CREATE INDEX CONCURRENTLY "inbox_open_failed" ON "onceboard"."inbox_open" USING btree ("tenant_id","consumer","next_attempt_at") WHERE attempts_finished > 0;
--> statement-breakpoint
-- onceboard: concurrently
CREATE INDEX CONCURRENTLY "outbox_messages_failed" ON "onceboard"."outbox_messages" USING btree ("tenant_id","topic","next_attempt_at") WHERE state = 'pending' and (attempts_finished > 0 or last_error_code is not null);
--> statement-breakpoint
-- onceboard: concurrently
CREATE INDEX CONCURRENTLY "outbox_messages_list" ON "onceboard"."outbox_messages" USING btree ("tenant_id",((case state when 'dead' then 0 when 'pending' then 100000000000000000 else 200000000000000000 end + position)::bigint),"id");
