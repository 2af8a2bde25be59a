// New threads get small stacks: RLIMIT_DATA counts a whole stack when it is
// mapped, and glibc's default of 8 MB would eat the memory meant for scripts.
#define _GNU_SOURCE
#include <malloc.h>
#include <pthread.h>

int codemode_small_stacks(unsigned long size) {
  pthread_attr_t attr;
  int err = pthread_attr_init(&attr);
  if (err != 0) return err;
  err = pthread_attr_setstacksize(&attr, size);
  if (err == 0) err = pthread_setattr_default_np(&attr);
  pthread_attr_destroy(&attr);
  return err;
}

// One heap for all threads, and what is large goes back to the system when it is
// freed: memory that malloc keeps for itself is memory a script can't have.
void codemode_thrifty_malloc(void) {
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_MMAP_THRESHOLD, 256 << 10);
  mallopt(M_TRIM_THRESHOLD, 1 << 20);
}
