// attack: back references multiply the choices
// expect: timeout
// bound: deadline + 500 ms
return /(a*)*(a*)*(a*)*\1\2\3$/.test('a'.repeat(30) + 'b');
