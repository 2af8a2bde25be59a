// attack: dates at the end of time in every locale
// expect: timeout
// bound: deadline + 500 ms
for (;;) new Date(8.64e15).toLocaleString('ar-u-ca-islamic', { timeZoneName: 'long' });
