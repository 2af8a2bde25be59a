// attack: a hashbang where none may be
// expect: syntax_error
// bound: deadline + 500 ms
#!/usr/bin/env node
return 1;
