// attack: nested loops that continue an outer label for ever
// expect: timeout
// bound: deadline + 500 ms
outer: for (;;) { for (let i = 0; i < 9; i++) { switch (i) { case 3: continue outer; } } }
