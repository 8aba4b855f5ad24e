// River itself: its migrations, its inserts, its client.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	. "attach/libraries/goprogram"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
	"github.com/riverqueue/river/rivertype"
)

// A queue that no client of this program serves.
const nobodys = "nobodys"

type orderArgs struct {
	Does string `json:"does"`
}

func (orderArgs) Kind() string { return "order" }

type orderWorker struct {
	river.WorkerDefaults[orderArgs]
	filling bool
	started chan int64
}

func (w *orderWorker) Work(_ context.Context, job *river.Job[orderArgs]) error {
	Say(map[string]string{"ran": fmt.Sprintf("job:%d", job.ID)})
	switch {
	case !w.filling:
		return nil
	case job.Args.Does == "fails":
		return errors.New("the gateway was gone")
	case job.Args.Does == "hangs":
		w.started <- job.ID
		select {}
	}
	return nil
}

// What failed is not due again while the test looks.
type hourly struct{}

func (hourly) NextRetry(_ *rivertype.JobRow) time.Time { return time.Now().Add(time.Hour) }

func main() {
	ctx := context.Background()
	pool := Must(pgxpool.New(ctx, os.Getenv("DATABASE_URL")))
	filling := os.Args[1] == "fill"
	if filling {
		migrator := Must(rivermigrate.New(riverpgxv5.New(pool), nil))
		Must(migrator.Migrate(ctx, rivermigrate.DirectionUp, nil))
	}
	worker := &orderWorker{filling: filling, started: make(chan int64, 1)}
	workers := river.NewWorkers()
	river.AddWorker(workers, worker)
	client := Must(river.NewClient(riverpgxv5.New(pool), &river.Config{
		Queues:      map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: 4}},
		RetryPolicy: hourly{},
		Workers:     workers,
		// The one that hangs is to stay as it is.
		JobTimeout: -1,
	}))
	if filling {
		fill(ctx, client, worker)
	} else {
		work(ctx, client)
	}
	// As a process that dies: what runs is left running.
	os.Exit(0)
}

func fill(ctx context.Context, client *river.Client[pgx.Tx], worker *orderWorker) {
	insert := func(does string, opts river.InsertOpts) int64 {
		return Must(client.Insert(ctx, orderArgs{Does: does}, &opts)).Job.ID
	}
	states := map[int64]string{
		insert("works", river.InsertOpts{}):                                           "sent",
		insert("fails", river.InsertOpts{MaxAttempts: 1}):                             "dead",
		insert("fails", river.InsertOpts{MaxAttempts: 1}):                             "dead",
		insert("fails", river.InsertOpts{MaxAttempts: 5}):                             "retrying",
		insert("works", river.InsertOpts{Queue: nobodys}):                             "waiting",
		insert("works", river.InsertOpts{ScheduledAt: time.Now().Add(2 * time.Hour)}): "scheduled",
	}
	cancelled := insert("works", river.InsertOpts{Queue: nobodys})
	Must(client.JobCancel(ctx, cancelled))
	states[cancelled] = "cancelled"
	finish(ctx, client, 4)
	states[insert("hangs", river.InsertOpts{})] = "in_progress"
	<-worker.started
	for id, state := range states {
		row := fmt.Sprintf("job:%d", id)
		Say(map[string]string{"id": row, "view": "outgoing", "state": state})
		if state == "dead" {
			Say(map[string]string{"id": row, "view": "dead", "state": "dead"})
		}
	}
}

// Works until so many jobs have ended, one way or the other.
func finish(ctx context.Context, client *river.Client[pgx.Tx], jobs int) {
	ended, stop := client.Subscribe(river.EventKindJobCompleted, river.EventKindJobFailed, river.EventKindJobCancelled)
	defer stop()
	Check(client.Start(ctx))
	for range jobs {
		<-ended
	}
}

func work(ctx context.Context, client *river.Client[pgx.Tx]) {
	due := Must(client.JobList(ctx, river.NewJobListParams().Queues(river.QueueDefault).States(rivertype.JobStateAvailable)))
	finish(ctx, client, len(due.Jobs))
}
