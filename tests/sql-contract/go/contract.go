package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"maps"
	"os"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// errFenced: somebody took the operation over, so whatever we do about it from here on is not ours to do.
var errFenced = errors.New("fenced")

// fencedCode is how complete() says that somebody else owns the operation now.
const fencedCode = "OB001"

type row map[string]any

// service on one connection.
type service struct {
	context.Context
	*pgx.Conn
}

// call calls a function of the contract with named arguments. Any failure ends the process, as a crash does: a lease runs out then.
func (s service) call(function string, args row) []row { return must(s.try(function, args)) }

func (s service) try(function string, args row) ([]row, error) {
	names, values := []string{}, []any{}
	for name, value := range args {
		values = append(values, value)
		names = append(names, fmt.Sprintf("p_%s => $%d", name, len(values)))
	}
	found, err := s.Query(s, fmt.Sprintf("select * from onceboard.%s(%s)", function, strings.Join(names, ", ")), values...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(found, func(each pgx.CollectableRow) (row, error) { return pgx.RowToMap(each) })
}

// owned is a write of the owner. It carries the fence: errFenced says that the fence is not ours any more.
func (s service) owned(function string, claim, args row) error {
	fence := row{"tenant": tenant, "operation_id": claim["operation_id"], "fence": claim["fence"]}
	rows, err := s.try(function, with(fence, args))
	var refused *pgconn.PgError
	if errors.As(err, &refused) && refused.Code == fencedCode || err == nil && rows[0][function] == false {
		return errFenced
	}
	return err
}

func with(first, second row) row {
	all := maps.Clone(first)
	maps.Copy(all, second)
	return all
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

// text of a value in canonical form: members sorted, no white space.
func text(value any) string { return string(must(json.Marshal(value))) }
func id(value any) string   { return uuid.UUID(value.([16]byte)).String() }
func newID() string         { return must(uuid.NewV7()).String() }

func hash(s string) []byte {
	sum := sha256.Sum256([]byte(s))
	return sum[:]
}

// hold waits where a test wants to kill the process.
func hold(point string) {
	if os.Getenv("HOLD") == point {
		fmt.Println(text(row{"holding": point}))
		_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
	}
}
