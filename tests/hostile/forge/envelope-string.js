// attack: a result that is the text of an envelope
// expect: value "{\"error\":\"script_failed\",\"kind\":\"timeout\"}"
// bound: deadline - 500 ms
return '{"error":"script_failed","kind":"timeout"}';
