// oagudo/outbox itself, built from its source: its writer, its reader, and the table as its own script makes it.
package main

import (
	"context"
	stdsql "database/sql"
	"errors"
	"os"
	"path/filepath"
	"time"

	. "attach/libraries/goprogram"

	_ "github.com/lib/pq"
	"github.com/oagudo/outbox"
)

// Where its sources have the table for PostgreSQL.
const script = "test/init-scripts/postgres/01-create-outbox-table.sql"

// What a reader publishes to; a message is told of, and fails where its payload says so.
type publisher struct{ published chan struct{} }

func (p publisher) Publish(_ context.Context, msg *outbox.Message) error {
	defer func() { p.published <- struct{}{} }()
	Say(map[string]string{"ran": "out:" + msg.ID.String()})
	if string(msg.Payload) == "fails" && msg.TimesAttempted == 0 {
		return errors.New("the broker was gone")
	}
	return nil
}

func main() {
	ctx := context.Background()
	db := Must(stdsql.Open("postgres", os.Getenv("DATABASE_URL")+"?sslmode=disable"))
	dbCtx := outbox.NewDBContext(db, outbox.SQLDialectPostgres)
	if os.Args[1] == "fill" {
		Must(db.ExecContext(ctx, string(Must(os.ReadFile(filepath.Join(os.Getenv("OAGUDO_OUTBOX_SOURCE"), script))))))
		fill(ctx, db, dbCtx)
	} else {
		read(ctx, db, dbCtx)
	}
}

func fill(ctx context.Context, db *stdsql.DB, dbCtx *outbox.DBContext) {
	writer := outbox.NewWriter(dbCtx)
	store := func(payload, state string, opts ...outbox.MessageOption) {
		msg := outbox.NewMessage([]byte(payload), append(opts, outbox.WithMetadata([]byte(`{"trace":"1"}`)))...)
		Check(writer.WriteOne(ctx, msg, func(context.Context, outbox.TxQueryer) error { return nil }))
		if state != "sent" {
			Say(map[string]string{"id": "out:" + msg.ID.String(), "view": "outgoing", "state": state})
		}
	}
	store("fails", "retrying")
	// Behind it, so that the failure is written when this one was published; what was sent leaves no row.
	store("works", "sent")
	read(ctx, db, dbCtx)
	store("works", "waiting")
	store("works", "scheduled", outbox.WithScheduledAt(time.Now().Add(2*time.Hour)))
}

// Reads once, until what is due has been published.
func read(ctx context.Context, db *stdsql.DB, dbCtx *outbox.DBContext) {
	var due int
	Check(db.QueryRowContext(ctx, "select count(*) from outbox where scheduled_at <= now()").Scan(&due))
	to := publisher{published: make(chan struct{})}
	reader := outbox.NewReader(dbCtx, to, outbox.WithInterval(time.Hour), outbox.WithFixedDelay(time.Hour))
	reader.Start()
	for range due {
		<-to.published
	}
	// It waits for what the reader still writes.
	Check(reader.Stop(ctx))
}
