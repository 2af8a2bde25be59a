package fault

import (
	"encoding/json"
	"os"
	"time"
)

// gate answers when the file that the call names is there. A second file beside it
// says that the call waits.
func (f *fault) gate(r wireRequest) {
	var args struct {
		File string `json:"file"`
	}
	json.Unmarshal(r.Params.Arguments, &args)
	os.WriteFile(args.File+".waiting", nil, 0o600)
	for range 6000 {
		if _, err := os.Stat(args.File); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	f.answer(r.ID, text("went through"))
}
