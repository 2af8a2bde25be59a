// attack: JSON.rawJSON in a result: a number that no client can read
// expect: value any | exception | result_not_serializable
// bound: deadline + 500 ms
return { n: JSON.rawJSON('1e400'), s: JSON.rawJSON('"x"') };
