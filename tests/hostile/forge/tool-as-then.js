// attack: a namespace and a tool are no thenables
// expect: value ["object","object","function"]
// bound: deadline - 500 ms
return [typeof (await tools), typeof (await tools.workspace), typeof (await tools.read_file)];
