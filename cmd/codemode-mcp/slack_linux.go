package main

// The C file beside this one does its work before main.

import "C"
