"use strict";
(() => {
  const form = document.getElementById("filter");
  const text = document.getElementById("filter-text");
  const unfold = document.getElementById("unfold");
  const counter = document.getElementById("filter-count");
  const boxes = [...form.querySelectorAll("input[type=checkbox]")];
  const rows = [...document.querySelectorAll("[data-verdict]")].map((element) => (
    { element, verdict: element.dataset.verdict, content: null }
  ));
  const groups = [...document.querySelectorAll("[data-group]")];
  const folded = [...document.querySelectorAll("details[data-group]")];
  const inMatrix = rows.filter((row) => row.element.tagName === "TR").length;

  let wasNarrowed = false;

  const apply = () => {
    const wanted = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    const narrowed = words.length > 0 || wanted.size < boxes.length;
    let shown = 0;
    for (const row of rows) {
      if (words.length > 0 && row.content === null) row.content = row.element.textContent.toLowerCase();
      const fits = wanted.has(row.verdict) && words.every((word) => row.content.includes(word));
      row.element.hidden = !fits;
      if (fits && row.element.tagName === "TR") shown += 1;
    }
    for (const group of groups) group.hidden = !group.querySelector("[data-verdict]:not([hidden])");
    if (narrowed) for (const details of folded) details.open = !details.hidden;
    else if (wasNarrowed) for (const details of folded) details.open = false;
    wasNarrowed = narrowed;
    counter.textContent = `${shown} of ${inMatrix} requirements`;
  };

  // The address keeps the filter behind "#?", since a page in a file may change nothing else of it.
  const remember = () => {
    const state = new URLSearchParams();
    if (text.value) state.set("q", text.value);
    const left = boxes.filter((box) => box.checked).map((box) => box.value);
    if (left.length < boxes.length) state.set("show", left.join(","));
    const fragment = state.toString();
    history.replaceState(null, "", fragment ? `#?${fragment}` : "#");
  };
  const recall = () => {
    if (!location.hash.startsWith("#?")) return;
    const state = new URLSearchParams(location.hash.slice(2));
    text.value = state.get("q") || "";
    const show = state.has("show") ? new Set(state.get("show").split(",")) : null;
    for (const box of boxes) box.checked = !show || show.has(box.value);
  };
  const reveal = () => {
    if (!location.hash || location.hash.startsWith("#?")) return;
    let target = null;
    try {
      target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    } catch {
      return;
    }
    if (!target) return;
    if (target.closest("[hidden]")) {
      text.value = "";
      for (const box of boxes) box.checked = true;
      apply();
    }
    for (let at = target; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    setTimeout(() => target.scrollIntoView());
  };

  const copier = (text) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(text.textContent);
        button.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(text);
        button.textContent = "Selected";
      }
    });
    return button;
  };

  form.addEventListener("input", () => { apply(); remember(); });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(() => { apply(); remember(); }));
  document.addEventListener("keydown", (event) => {
    const typing = event.target instanceof HTMLInputElement && event.target.type === "search";
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) { event.preventDefault(); text.focus(); }
    if (event.key === "Escape" && typing) form.reset();
  });
  document.addEventListener("toggle", (event) => {
    const ways = event.target;
    if (!ways.classList.contains("again") || ways.querySelector("button")) return;
    for (const text of ways.querySelectorAll("pre")) text.before(copier(text));
  }, true);
  unfold.addEventListener("click", () => {
    const open = unfold.getAttribute("aria-pressed") !== "true";
    unfold.setAttribute("aria-pressed", String(open));
    for (const details of document.querySelectorAll("article:not([hidden]) > .happened, .story details")) details.open = open;
  });
  window.addEventListener("hashchange", () => { recall(); apply(); reveal(); });
  // What a link leads to must not land under the bar, however many lines that has.
  const makeRoom = () => {
    const room = getComputedStyle(form).position === "sticky" ? form.offsetHeight + 8 : 16;
    document.documentElement.style.scrollPaddingTop = `${room}px`;
  };
  window.addEventListener("resize", makeRoom);
  form.hidden = false;
  recall();
  apply();
  makeRoom();
  reveal();
})();
