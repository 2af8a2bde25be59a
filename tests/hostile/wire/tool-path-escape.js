// attack: paths out of the workspace, in every spelling
// expect: value 0
// bound: deadline + 500 ms
const out = [];
for (const path of ['/etc/passwd', '../../../../etc/passwd', 'a/../../x', './../../etc/hosts', '~/.ssh/id_rsa', 'file:///etc/passwd', '/proc/self/environ', 'a.txt/../../x', '..\\..\\x', '%2e%2e/x']) { try { out.push((await tools.read_file({ path })).content); } catch { /* refused */ } }
return out.length;
