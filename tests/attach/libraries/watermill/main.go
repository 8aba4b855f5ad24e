// watermill-sql itself: its publisher and its subscriber, over a topic of each of its two kinds of tables.
package main

import (
	"context"
	stdsql "database/sql"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill-sql/v4/pkg/sql"
	"github.com/ThreeDotsLabs/watermill/message"
	_ "github.com/lib/pq"
)

const topic = "orders"

// How often it is looked whether an acknowledgement has been written.
const every = 50 * time.Millisecond

func say(line map[string]string) {
	text, _ := json.Marshal(line)
	fmt.Println(string(text))
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// Messages with a mark of their own when they are acknowledged, or an offset for each group of consumers and no mark.
func adapters(kind string) (sql.SchemaAdapter, sql.OffsetsAdapter) {
	if kind == "queue" {
		return sql.PostgreSQLQueueSchema{SubscribeBatchSize: 1}, sql.PostgreSQLQueueOffsetsAdapter{}
	}
	return sql.DefaultPostgreSQLSchema{SubscribeBatchSize: 1}, sql.DefaultPostgreSQLOffsetsAdapter{}
}

func main() {
	ctx := context.Background()
	db := sql.BeginnerFromStdSQL(must(stdsql.Open("postgres", os.Getenv("DATABASE_URL")+"?sslmode=disable")))
	kind := os.Getenv("TABLES")
	schema, offsets := adapters(kind)
	publisher := must(sql.NewPublisher(db, sql.PublisherConfig{SchemaAdapter: schema, AutoInitializeSchema: true}, watermill.NopLogger{}))
	subscriber := must(sql.NewSubscriber(db, sql.SubscriberConfig{
		SchemaAdapter: schema, OffsetsAdapter: offsets, InitializeSchema: true, PollInterval: every,
	}, watermill.NopLogger{}))
	messages := must(subscriber.Subscribe(ctx, topic))
	publish := func(text string) {
		check(publisher.Publish(topic, message.NewMessage(watermill.NewUUID(), []byte(text))))
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
		say(map[string]string{"id": fmt.Sprintf("out:%d", number+1), "view": "outgoing", "state": state})
	}
	// As a process that dies: what was refused is delivered again.
	os.Exit(0)
}

func count(ctx context.Context, db sql.Beginner, where string) int {
	rows := must(db.QueryContext(ctx, "select count(*) from watermill_"+topic+where))
	defer func() { _ = rows.Close() }()
	var found int
	rows.Next()
	check(rows.Scan(&found))
	return found
}
