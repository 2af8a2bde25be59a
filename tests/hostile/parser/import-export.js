// attack: module syntax
// expect: syntax_error
// bound: deadline - 500 ms
import fs from "fs";
export default 1;
