package worker

import "C" // compiles glibc_linux.c
