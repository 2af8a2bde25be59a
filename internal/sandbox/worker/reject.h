#ifndef CODEMODE_REJECT_H
#define CODEMODE_REJECT_H

// MAX_REJECTIONS bounds how many are remembered, REJECTION_TEXT a text in bytes.
#define MAX_REJECTIONS 16
#define REJECTION_TEXT 300

// watch_rejections forgets all and begins to watch an isolate.
void watch_rejections(void* isolate);
// rejection_count and rejection_text give the rejections that nobody handled.
int rejection_count(void);
const char* rejection_text(int i);

#endif
