"use strict";
// Comfort only: every rule is checked by the server, and the page works without this file.
(() => {
  const STATES = /* states */ {};
  const all = (selector) => [...document.querySelectorAll(selector)];
  const one = (selector) => document.querySelector(selector);

  // Who cannot see the page hears what is wrong first: the field, else the notice of a decline.
  const wrong = one("[aria-invalid=true]") || one("[role=alert]");
  if (wrong) wrong.focus();

  // A form counts once: the buttons of a form that is on its way do nothing more.
  for (const form of all("form[data-once]")) {
    let sent = false;
    form.addEventListener("submit", (event) => {
      if (sent) { event.preventDefault(); return; }
      sent = true;
      for (const button of form.querySelectorAll("button")) button.setAttribute("aria-disabled", "true");
    });
    addEventListener("pageshow", () => {
      sent = false;
      for (const button of form.querySelectorAll("button")) button.removeAttribute("aria-disabled");
    });
  }

  // What 3DS asks about the browser goes along with every form that pays.
  const browser = {
    browser_color_depth: screen.colorDepth,
    browser_screen_height: screen.height,
    browser_screen_width: screen.width,
    browser_java_enabled: navigator.javaEnabled ? navigator.javaEnabled() : false,
    browser_javascript_enabled: true,
    browser_language: navigator.language,
    browser_timezone_offset: new Date().getTimezoneOffset(),
    browser_platform: navigator.platform,
  };
  for (const form of all("form[data-once]")) for (const [name, value] of Object.entries(browser)) {
    const input = document.createElement("input");
    Object.assign(input, { type: "hidden", name, value: String(value) });
    form.append(input);
  }

  const number = one("[autocomplete=cc-number]");
  if (number) number.addEventListener("input", () => {
    if (number.selectionStart !== number.value.length) return;
    const digits = number.value.replace(/\s/g, "");
    if (/^\d*$/.test(digits)) number.value = digits.replace(/(\d{4})(?=\d)/g, "$1 ");
  });
  const expiry = one("[autocomplete=cc-exp]");
  if (expiry) expiry.addEventListener("input", (event) => {
    const deletes = (event.inputType || "").startsWith("delete");
    if (!deletes && /^\d{2}$/.test(expiry.value)) expiry.value += "-";
    if (!deletes && /^\d{3,4}$/.test(expiry.value)) expiry.value = expiry.value.slice(0, 2) + "-" + expiry.value.slice(2);
  });

  const country = one("[data-country]");
  if (country && country.options && Intl.DisplayNames) {
    const names = new Intl.DisplayNames([document.documentElement.lang, "en"], { type: "region" });
    const options = [...country.options].slice(1);
    for (const option of options) option.text = names.of(option.value);
    options.sort((left, right) => left.text.localeCompare(right.text, document.documentElement.lang));
    country.append(...options);
  }

  // The list of states goes with the country. Where the server shows a list at once, that list is kept.
  const slot = one("[data-states]");
  if (slot && country) {
    const shown = slot.querySelector("select, input");
    const parts = new DOMParser().parseFromString((slot.querySelector("noscript") || {}).textContent || slot.innerHTML, "text/html");
    const show = () => {
      const states = STATES[country.value.trim().toUpperCase()];
      const free = "free" in slot.dataset;
      slot.hidden = !states && !free;
      if (slot.hidden) { slot.replaceChildren(); return; }
      const label = parts.querySelector("label").cloneNode(true);
      const model = parts.querySelector("select, input");
      const field = document.createElement(states ? "select" : "input");
      field.id = model.id;
      field.name = model.name;
      field.autocomplete = "address-level1";
      if (states) {
        field.append(new Option(slot.dataset.choose, ""));
        for (const [code, name] of Object.entries(states)) field.append(new Option(name, code));
      }
      slot.replaceChildren(label, field);
    };
    country.addEventListener("input", show);
    if (!shown) show();
  }

  const poll = one("[data-poll]");
  if (poll) setInterval(() => {
    if (!document.hidden && !poll.contains(document.activeElement)) location.reload();
  }, 5000);

  const leave = one("a[data-leave]");
  if (leave) leave.click();
  if (one("[data-closes]")) setTimeout(() => window.close(), 8000);
})();
