// watermill-sql itself: its publisher and its subscriber, over a topic of each of its two kinds of tables.
package main

import (
	"context"
	stdsql "database/sql"
	"fmt"
	"os"
	"time"

	. "attach/libraries/goprogram"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill-sql/v4/pkg/sql"
	"github.com/ThreeDotsLabs/watermill/message"
	_ "github.com/lib/pq"
)

const topic = "orders"

// How often it is looked whether an acknowledgement has been written.
const every = 50 * time.Millisecond

// Messages with a mark of their own when they are acknowledged, or an offset for each group of consumers and no mark.
func adapters(kind string) (sql.SchemaAdapter, sql.OffsetsAdapter) {
	if kind == "queue" {
		return sql.PostgreSQLQueueSchema{SubscribeBatchSize: 1}, sql.PostgreSQLQueueOffsetsAdapter{}
	}
	return sql.DefaultPostgreSQLSchema{SubscribeBatchSize: 1}, sql.DefaultPostgreSQLOffsetsAdapter{}
}

func main() {
	ctx := context.Background()
	db := sql.BeginnerFromStdSQL(Must(stdsql.Open("postgres", os.Getenv("DATABASE_URL")+"?sslmode=disable")))
	kind := os.Getenv("TABLES")
	schema, offsets := adapters(kind)
	publisher := Must(sql.NewPublisher(db, sql.PublisherConfig{SchemaAdapter: schema, AutoInitializeSchema: true}, watermill.NopLogger{}))
	subscriber := Must(sql.NewSubscriber(db, sql.SubscriberConfig{
		SchemaAdapter: schema, OffsetsAdapter: offsets, InitializeSchema: true, PollInterval: every,
	}, watermill.NopLogger{}))
	messages := Must(subscriber.Subscribe(ctx, topic))
	publish := func(text string) {
		Check(publisher.Publish(topic, message.NewMessage(watermill.NewUUID(), []byte(text))))
	}

	publish(`{"order": 1}`)
	(<-messages).Ack()
	if kind == "queue" {
		for count(ctx, db, " where acked") == 0 {
			time.Sleep(every)
		}
	}
	publish(`{"order": 2}`)
	(<-messages).Nack()
	publish(`{"order": 3}`)
	for count(ctx, db, "") < 3 {
		time.Sleep(every)
	}
	for number := range 3 {
		state := "unknown"
		if kind == "queue" {
			state = []string{"sent", "waiting", "waiting"}[number]
		}
		Say(map[string]string{"id": fmt.Sprintf("out:%d", number+1), "view": "outgoing", "state": state})
	}
	// As a process that dies: what was refused is delivered again.
	os.Exit(0)
}

func count(ctx context.Context, db sql.Beginner, where string) int {
	rows := Must(db.QueryContext(ctx, "select count(*) from watermill_"+topic+where))
	defer func() { _ = rows.Close() }()
	var found int
	rows.Next()
	Check(rows.Scan(&found))
	return found
}
