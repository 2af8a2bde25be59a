// V8's hook for promises that were rejected while nobody handled them. v8go
// offers none, but V8 is in the same binary: the functions below are V8's own,
// by their names in the library, and the structures are those of V8 13.6
// (include/v8-promise.h). TestRejections fails when an update changes them.

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "reject.h"

#define STRINGIFY(x) #x
#define EXPAND(x) STRINGIFY(x)
#define V8(name) __asm__(EXPAND(__USER_LABEL_PREFIX__) name)

// v8::PromiseRejectMessage. Each pointer is a v8::Local: where a handle is.
typedef struct {
  void* promise;
  int event;
  void* value;
} reject_message;

enum { reject_with_no_handler = 0, handler_added_after_reject = 1 };

extern void set_callback(void* isolate, void (*callback)(reject_message))
    V8("_ZN2v87Isolate24SetPromiseRejectCallbackEPFvNS_20PromiseRejectMessageEE");
extern int identity_hash(void* object) V8("_ZN2v86Object15GetIdentityHashEv");
extern void* create_message(void* isolate, void* value)
    V8("_ZN2v89Exception13CreateMessageEPNS_7IsolateENS_5LocalINS_5ValueEEE");
extern void* message_text(void* message) V8("_ZNK2v87Message3GetEv");
extern void* message_file(void* message) V8("_ZNK2v87Message21GetScriptResourceNameEv");
extern int message_column(void* message) V8("_ZNK2v87Message14GetStartColumnEv");
extern void* current_context(void* isolate) V8("_ZN2v87Isolate17GetCurrentContextEv");
extern _Bool is_string(void* value) V8("_ZNK2v85Value12FullIsStringEv");

// v8::Maybe<int>
typedef struct {
  _Bool known;
  int value;
} maybe_int;
extern maybe_int message_line(void* message, void* context)
    V8("_ZNK2v87Message13GetLineNumberENS_5LocalINS_7ContextEEE");
extern size_t write_utf8(void* string, void* isolate, char* to, size_t capacity, int flags, size_t* read)
    V8("_ZNK2v86String11WriteUtf8V2EPNS_7IsolateEPcmiPm");

// WriteUtf8V2: end with a NUL, replace what is no character.
enum { null_terminate = 1, replace_invalid = 2 };

// One isolate runs at a time, on one thread: plain variables do.
static void* watched;
static int count;
static struct {
  int hash;
  int line, column;  // 0 where the script did not make what was thrown
  char text[REJECTION_TEXT];
} rejections[MAX_REJECTIONS];

// locate finds where a script made what it threw.
static void locate(void* message, int* line, int* column) {
  char name[sizeof SCRIPT_ORIGIN + 1];
  void* file = message_file(message);
  if (!file || !is_string(file)) return;
  size_t n = write_utf8(file, watched, name, sizeof name, 0, NULL);
  if (n != sizeof SCRIPT_ORIGIN - 1 || memcmp(name, SCRIPT_ORIGIN, n) != 0) return;
  maybe_int at = message_line(message, current_context(watched));
  if (!at.known || at.value < 1) return;
  *line = at.value;
  *column = message_column(message) + 1;
}

static void on_reject(reject_message m) {
  if (m.event == reject_with_no_handler) {
    if (count >= MAX_REJECTIONS) return;
    rejections[count].hash = identity_hash(m.promise);
    rejections[count].text[0] = 0;
    rejections[count].line = rejections[count].column = 0;
    void* message = m.value ? create_message(watched, m.value) : NULL;
    void* text = message ? message_text(message) : NULL;
    if (message) locate(message, &rejections[count].line, &rejections[count].column);
    if (text) {
      size_t n = write_utf8(text, watched, rejections[count].text, REJECTION_TEXT, null_terminate | replace_invalid, NULL);
      rejections[count].text[n < REJECTION_TEXT ? n : REJECTION_TEXT - 1] = 0;
    }
    count++;
    return;
  }
  if (m.event != handler_added_after_reject) return;
  int hash = identity_hash(m.promise);
  for (int i = 0; i < count; i++) {
    if (rejections[i].hash != hash) continue;
    memmove(&rejections[i], &rejections[i + 1], (size_t)(count - i - 1) * sizeof rejections[0]);
    count--;
    return;
  }
}

void watch_rejections(void* isolate) {
  watched = isolate;
  count = 0;
  set_callback(isolate, on_reject);
}

int rejection_count(void) { return count; }

int rejection_line(int i) { return i >= 0 && i < count ? rejections[i].line : 0; }

int rejection_column(int i) { return i >= 0 && i < count ? rejections[i].column : 0; }

const char* rejection_text(int i) { return i >= 0 && i < count ? rejections[i].text : ""; }
