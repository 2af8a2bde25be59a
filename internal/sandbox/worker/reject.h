#ifndef CODEMODE_REJECT_H
#define CODEMODE_REJECT_H

// MAX_REJECTIONS bounds how many are remembered, REJECTION_TEXT a text in bytes.
#define MAX_REJECTIONS 16
#define REJECTION_TEXT 300

// SCRIPT_ORIGIN is the name of the script: script.Origin in Go.
#define SCRIPT_ORIGIN "codemode:script"

// watch_rejections forgets all and begins to watch an isolate.
void watch_rejections(void* isolate);
// rejection_count and rejection_text give the rejections that nobody handled.
int rejection_count(void);
const char* rejection_text(int i);
// rejection_line and rejection_column say where the script made what it threw, from
// 1 as V8 counts; 0 where it did not.
int rejection_line(int i);
int rejection_column(int i);

#endif
