package sandbox

import "testing"

// Workers that leave no image are not asked for one for ever, and it is told once.
func TestNoImage(t *testing.T) {
	var i image
	defer i.close()
	told := 0
	for n := range maxImageTries + 2 {
		file, maker, err := i.offer()
		if err != nil {
			t.Fatal(err)
		}
		if want := n < maxImageTries; maker != want || (file != nil) != want {
			t.Errorf("start %d: maker %v, file %v", n, maker, file)
		}
		if !maker {
			continue
		}
		if err := i.made(file, true); err != nil { // it is empty
			told++
		}
	}
	if told != 1 {
		t.Errorf("told of it %d times", told)
	}
}
