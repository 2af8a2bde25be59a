package upstream

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

// The test binary is its own upstream server: started with faultVariable set, it
// plays the fault of that name.
func TestMain(m *testing.M) {
	if name := os.Getenv(faultVariable); name != "" {
		playFault(name)
		os.Exit(0)
	}
	code := m.Run()
	if code == 0 {
		if err := goleak.Find(); err != nil {
			println(err.Error())
			code = 1
		}
	}
	os.Exit(code)
}
