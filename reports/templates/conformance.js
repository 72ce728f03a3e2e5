"use strict";
(() => {
  const form = document.getElementById("filter");
  const text = document.getElementById("filter-text");
  const told = document.getElementById("filter-told");
  const boxes = [...form.querySelectorAll("input[type=checkbox]")];
  const rows = [...document.querySelectorAll("[data-verdict]")].map((element) => (
    { element, verdict: element.dataset.verdict, content: element.textContent.toLowerCase() }
  ));
  const groups = [...document.querySelectorAll("[data-group]")];
  const inMatrix = rows.filter((row) => row.element.tagName === "TR").length;

  const apply = () => {
    const wanted = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const fits = wanted.has(row.verdict) && words.every((word) => row.content.includes(word));
      row.element.hidden = !fits;
      if (fits && row.element.tagName === "TR") shown += 1;
    }
    for (const group of groups) group.hidden = !group.querySelector("[data-verdict]:not([hidden])");
    told.textContent = `${shown} of ${inMatrix} requirements shown`;
  };

  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(apply));
  window.addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });
  const reveal = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target || !target.closest("[hidden]")) return;
    form.reset();
    setTimeout(() => target.scrollIntoView());
  };
  window.addEventListener("hashchange", reveal);
  form.hidden = false;
  apply();
})();
