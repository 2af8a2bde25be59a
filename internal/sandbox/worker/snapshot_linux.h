#ifndef CODEMODE_SNAPSHOT_H
#define CODEMODE_SNAPSHOT_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  const char* data;
  int size;
  int rejected;  // the code cache was not taken
} snapshot;

// make_snapshot runs a source in a new context and gives V8's snapshot of it. No
// isolate may be alive. The data is freed by free_snapshot.
snapshot make_snapshot(const char* source, const char* origin, const unsigned char* cache, int cache_size);
void free_snapshot(const char* data);
// use_snapshot makes all later isolates and contexts out of a snapshot. No isolate may be
// alive, and the data must stay.
void use_snapshot(const char* data, int size);
// use_getrandom seeds V8's random numbers by one system call: V8 itself opens
// /dev/urandom seven times for each isolate.
void use_getrandom(void);

#ifdef __cplusplus
}
#endif

#endif
