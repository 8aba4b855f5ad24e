ALTER TABLE "onceboard"."topics" DROP CONSTRAINT "topics_transport";--> statement-breakpoint
ALTER TABLE "onceboard"."topics" ADD CONSTRAINT "topics_transport" CHECK ("onceboard"."topics"."transport" in ('http', 'nats', 'rabbitmq', 'kafka'));
