package worker

import (
	"crypto/rand"
	"crypto/sha1" //nolint:gosec // the web's digest has it
	"crypto/sha256"
	"crypto/sha512"
	"errors"
	"fmt"
	"strings"
)

// Bytes cross between the script and Go as strings of one unit a byte.

// maxRandom bounds what one call may ask for, in bytes.
const maxRandom = 65536

func randomBytes(n uint32) (string, error) {
	if n > maxRandom {
		return "", errors.New("too many random bytes")
	}
	b := make([]byte, n)
	rand.Read(b)
	return byteString(b), nil
}

// digest hashes a string of bytes.
func digest(algorithm, data string) (string, error) {
	b := bytesOf(data)
	switch algorithm {
	case "SHA-1":
		sum := sha1.Sum(b)
		return byteString(sum[:]), nil
	case "SHA-256":
		sum := sha256.Sum256(b)
		return byteString(sum[:]), nil
	case "SHA-384":
		sum := sha512.Sum384(b)
		return byteString(sum[:]), nil
	case "SHA-512":
		sum := sha512.Sum512(b)
		return byteString(sum[:]), nil
	}
	return "", fmt.Errorf("digest %q is unknown", algorithm)
}

func byteString(b []byte) string {
	var s strings.Builder
	for _, c := range b {
		s.WriteRune(rune(c))
	}
	return s.String()
}

func bytesOf(s string) []byte {
	b := make([]byte, 0, len(s))
	for _, r := range s {
		b = append(b, byte(r))
	}
	return b
}
