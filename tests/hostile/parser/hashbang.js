// attack: a hashbang: it is a comment, nothing more
// expect: value 1
// bound: deadline + 500 ms
#!/usr/bin/env node
return 1;
