// attack: it closes the function around it and calls tools while the source is evaluated
// expect: syntax_error
// bound: deadline - 500 ms
// calls: 0
}
for (let i = 0; i < 9; i++) tools.write_file({ path: "outside.txt", content: "x" });
tools.write_file({ path: "x", content: "x".repeat(3e7) });
console.log("outside");
{
