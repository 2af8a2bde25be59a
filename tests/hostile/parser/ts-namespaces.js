// attack: TypeScript: namespaces nested 50,000 deep
// expect: syntax_error
// bound: deadline + 500 ms
/*repeat 50000 "namespace a{"*//*repeat 50000 "}"*/
return 1;
