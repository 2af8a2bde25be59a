// attack: four hundred thousand empty lines, then an error in the last
// expect: exception
// bound: deadline + 500 ms
// message: here
/*repeat 400000 "\n"*/throw new Error("here");
