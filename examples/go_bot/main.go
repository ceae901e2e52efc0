// A bot in Go: it answers lines of JSON on its standard input and output with the middle one of its legal actions.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

// Message has the fields of a line to the program that this bot uses.
type Message struct {
	Type  string   `json:"type"`
	ID    uint64   `json:"id"`
	Legal []uint32 `json:"legal"`
}

// Reply is a line to the host.
type Reply struct {
	Type     string  `json:"type"`
	Name     string  `json:"name,omitempty"`
	Capacity int     `json:"capacity,omitempty"`
	ID       uint64  `json:"id,omitempty"`
	Action   *uint32 `json:"action,omitempty"`
}

func main() {
	replies := json.NewEncoder(os.Stdout)
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var message Message
		if err := json.Unmarshal(lines.Bytes(), &message); err != nil {
			fmt.Fprintln(os.Stderr, "not a message:", err)
			os.Exit(1)
		}
		switch message.Type {
		case "hello":
			// It may be asked 64 decisions of different matches at once.
			_ = replies.Encode(Reply{Type: "ready", Name: "middle", Capacity: 64})
		case "decide":
			action := message.Legal[len(message.Legal)/2]
			_ = replies.Encode(Reply{Type: "action", ID: message.ID, Action: &action})
		}
	}
}
