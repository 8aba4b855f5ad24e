// Package goprogram is what programs around libraries of Go share.
package goprogram

import (
	"encoding/json"
	"fmt"
)

// Say writes a line of JSON: a row, or a run.
func Say(line map[string]string) {
	text, _ := json.Marshal(line)
	fmt.Println(string(text))
}

// Must is the value of a call that may not fail.
func Must[T any](value T, err error) T {
	Check(err)
	return value
}

// Check ends the program when there is an error.
func Check(err error) {
	if err != nil {
		panic(err)
	}
}
