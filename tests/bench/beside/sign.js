// Signs the request of one item; SPEC is put in by the generator. Runs in Postman's sandbox before the request.
const spec = SPEC;
const put = (text) => text.replace(/<(\w+)>/g, (_, name) => pm.collectionVariables.get(name) || "");
const turned = (text) => text.split("").reverse().join("");
const upper = (text) => spec.upper_case === "none" ? text : text.toUpperCase();
const terms = spec.terms.map((term) => {
  const text = term.reversed ? turned(put(term.text)) : put(term.text);
  return term.keeps_case ? text : upper(text);
});
const hashes = { md5: CryptoJS.MD5, sha1: CryptoJS.SHA1, sha256: CryptoJS.SHA256 };
const inner = hashes[spec.digest](terms.join(""));
const hex = spec.inner_form === "upper-hex" ? inner.toString().toUpperCase() : inner.toString();
pm.variables.set("hash", spec.outer ? hashes[spec.outer](spec.inner_form === "bytes" ? inner : hex).toString() : hex);
