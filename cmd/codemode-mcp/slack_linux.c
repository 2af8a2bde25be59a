// Go's monitor thread wakes up every 20 microseconds while anything runs, and takes the
// processor away from each call of V8 that lasts longer, for nobody. With more slack
// for its timer it sleeps longer. It starts before any of Go's own code, hence here;
// threads inherit the slack.
#include <sys/prctl.h>

enum { SLACK_NS = 500 * 1000 };

__attribute__((constructor)) static void slacken(void) { prctl(PR_SET_TIMERSLACK, SLACK_NS, 0, 0, 0); }
