// attack: Array.prototype.toJSON and Object.prototype.toJSON while the state goes back
// expect: value 5 | value 1 | exception
// bound: deadline - 500 ms
state.a = [1];
Array.prototype.toJSON = () => '}{';
Object.prototype.toJSON = () => 5;
return 1;
