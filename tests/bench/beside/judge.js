// Judges the answer to one item; EXPECTED is put in by the generator. Runs in Postman's sandbox after the request.
const expected = EXPECTED;
const put = (value) => typeof value === "string"
  ? value.replace(/<(\w+)>/g, (_, name) => pm.collectionVariables.get(name) || "") : value;
let answer;
try { answer = pm.response.json(); } catch (error) { answer = undefined; }
for (const [name, path] of Object.entries(expected.keep)) {
  const value = path.reduce((below, part) => (below === undefined || below === null ? undefined : below[part]), answer);
  if (value !== undefined) { pm.collectionVariables.set(name, value); }
}
pm.test("status", () => pm.response.to.have.status(expected.status));
for (const [name, value] of Object.entries(expected.members)) {
  pm.test(name, () => pm.expect((answer || {})[name]).to.equal(put(value)));
}
if (expected.schema) {
  pm.test("schema", () => pm.response.to.have.jsonSchema(expected.schema, { unknownFormats: "ignore" }));
}
