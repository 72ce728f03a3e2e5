"use strict";
// One field: it hands its value over to the gateway when the page that it stands in asks for it.
(() => {
  const form = document.querySelector("form");
  const input = form.querySelector("input:not([type=hidden])");
  const STYLES = /^(color|background-color|font|font-size|font-family|font-weight|letter-spacing|padding|text-align)$/;

  const handOver = async () => {
    const reply = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)) });
    const body = await reply.json().catch(() => ({}));
    input.setAttribute("aria-invalid", String(!reply.ok));
    return reply.ok
      ? { result: "success", message: body.message }
      : { result: "error", message: body.error_message, errors: body.errors || [] };
  };

  const isSentWhenLeft = form.dataset.sent === "when-left";
  if (isSentWhenLeft) input.addEventListener("change", () => handOver().catch(() => {}));
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("message", async (event) => {
    const wish = (event.data || {}).hostedFields;
    if (event.source !== parent) return;
    if (wish === "styles") {
      for (const [name, value] of Object.entries(event.data.styles)) {
        if (STYLES.test(name)) input.style.setProperty(name, value);
      }
    }
    if (wish === "submit" && event.ports[0] && isSentWhenLeft) event.ports[0].postMessage({ result: "success" });
    else if (wish === "submit" && event.ports[0]) {
      const answer = await handOver().catch(() => ({ result: "error", message: "The gateway cannot be reached." }));
      event.ports[0].postMessage(answer);
    }
  });
})();
