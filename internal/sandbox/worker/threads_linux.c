// New threads get small stacks: RLIMIT_DATA counts a whole stack when it is
// mapped, and glibc's default of 8 MB would eat the memory meant for scripts.
#define _GNU_SOURCE
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
