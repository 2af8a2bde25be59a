// attack: a hashbang line, which is a comment
// expect: value 1
// bound: deadline + 500 ms
#!/usr/bin/env node
return 1;
