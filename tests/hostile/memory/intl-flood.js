// attack: ICU objects live outside the heap
// expect: memory_limit | exception
// bound: deadline + 500 ms
const keep = [];
for (;;) keep.push(new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' }), new Intl.DateTimeFormat('de', { dateStyle: 'full' }));
