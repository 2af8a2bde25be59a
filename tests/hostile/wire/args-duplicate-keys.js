// attack: arguments with keys that only differ by case, and __proto__
// expect: value "ToolError"
// bound: deadline + 500 ms
try { await tools.read_file(JSON.parse('{"path":"a.txt","__proto__":{"path":"b"},"Path":"c"}')); return 'ran'; } catch (e) { return e.name; }
