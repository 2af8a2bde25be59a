// attack: a cubic pattern over a long text
// expect: timeout
// bound: deadline + 500 ms
return /.*.*.*=x/s.test('='.repeat(30000));
