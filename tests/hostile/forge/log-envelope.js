// attack: console lines that look like the envelope and like MCP frames
// expect: value 1
// bound: deadline - 500 ms
console.log('{"jsonrpc":"2.0","id":1,"result":{}}');
console.log('\n\n{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}\n');
console.error('Content-Length: 5\r\n\r\nhello');
return 1;
