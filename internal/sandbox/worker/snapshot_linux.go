package worker

// #cgo LDFLAGS: -Wl,--wrap=_ZN2v88internal8Snapshot19DefaultSnapshotBlobEv
// #cgo LDFLAGS: -Wl,--wrap=_ZN2v87Context3NewEPNS_7IsolateEPNS_22ExtensionConfigurationENS_10MaybeLocalINS_14ObjectTemplateEEENS5_INS_5ValueEEENS_33DeserializeInternalFieldsCallbackEPNS_14MicrotaskQueueENS_30DeserializeContextDataCallbackENS_29DeserializeAPIWrapperCallbackE
// #include <stdlib.h>
// #include "snapshot_linux.h"
import "C"

import (
	"errors"
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// canSnapshot says whether isolates can be made out of a snapshot here.
const canSnapshot = true

// makeSnapshot gives the snapshot of a context in which a source has run, compiled
// out of its code cache. No isolate may be alive.
func makeSnapshot(source, origin string, cache []byte) ([]byte, error) {
	if len(cache) == 0 {
		return nil, errors.New("make snapshot: no code cache")
	}
	cSource, cOrigin := C.CString(source), C.CString(origin)
	defer C.free(unsafe.Pointer(cSource))
	defer C.free(unsafe.Pointer(cOrigin))
	made := C.make_snapshot(cSource, cOrigin, (*C.uchar)(&cache[0]), C.int(len(cache)))
	if made.data == nil {
		return nil, errors.New("make snapshot: V8 made none")
	}
	defer C.free_snapshot(made.data)
	if made.rejected != 0 {
		return nil, errors.New("make snapshot: V8 did not take the code cache")
	}
	return C.GoBytes(unsafe.Pointer(made.data), made.size), nil
}

// useSnapshot makes all later isolates out of a snapshot. It must lie outside of
// Go's heap and stay; no isolate may be alive.
func useSnapshot(data []byte) {
	C.use_snapshot((*C.char)(unsafe.Pointer(&data[0])), C.int(len(data)))
}

// useGetrandom spares V8 the opening of /dev/urandom, which the lockdown refuses.
func useGetrandom() { C.use_getrandom() }

// sealImage makes a memory file unchangeable for everybody.
func sealImage(file *os.File) error {
	const all = unix.F_SEAL_SEAL | unix.F_SEAL_SHRINK | unix.F_SEAL_GROW | unix.F_SEAL_WRITE
	if _, err := unix.FcntlInt(file.Fd(), unix.F_ADD_SEALS, all); err != nil {
		return fmt.Errorf("seal image: %w", err)
	}
	return nil
}
