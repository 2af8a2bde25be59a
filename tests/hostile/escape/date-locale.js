// attack: the host's time zone and locale
// expect: value "contained"
// bound: deadline - 500 ms
return [Intl.DateTimeFormat().resolvedOptions().timeZone, new Date(0).getTimezoneOffset()].join() === 'UTC,0' ? 'contained' : 'shown';
