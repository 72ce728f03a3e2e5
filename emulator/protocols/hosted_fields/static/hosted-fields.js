"use strict";
// Puts the gateway's card fields into the merchant's page. What the payer types stays inside the gateway's frames.
//
//   const fields = HostedFields.init({
//     token: "<session token>",
//     fields: { card: { id: "card", placeholder: "Card number" }, expiry: { id: "expiry" }, cvv: { id: "cvv" } },
//     styles: { "font-size": "16px" },
//   });
//   const { result } = await fields.submit();   // "success", or "error" with message and errors
window.HostedFields = (() => {
  const NAMES = ["card", "expiry", "cvv"];
  const origin = new URL(document.currentScript.src).origin;

  const framed = (name, options) => {
    const { id = name, placeholder = "" } = (options.fields || {})[name] || {};
    const place = document.getElementById(id);
    if (!place) throw new Error(`There is no element ${id} for the field ${name}.`);
    const frame = document.createElement("iframe");
    const query = new URLSearchParams({ token: options.token, placeholder });
    frame.src = `${origin}/sdk/hosted-fields/frames/${name}?${query}`;
    frame.title = placeholder || name;
    frame.dataset.hostedField = name;
    frame.setAttribute("frameborder", "0");
    Object.assign(frame.style, { width: "100%", height: "100%", minHeight: "2.5em", border: "0" });
    frame.addEventListener("load", () => {
      frame.contentWindow.postMessage({ hostedFields: "styles", styles: options.styles || {} }, origin);
    });
    place.replaceChildren(frame);
    return frame;
  };

  const handedOver = (frame) => new Promise((resolve) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = (event) => resolve(event.data);
    frame.contentWindow.postMessage({ hostedFields: "submit" }, origin, [channel.port2]);
  });

  const init = (options) => {
    const frames = NAMES.map((name) => framed(name, options));
    const submit = async () => {
      const answers = await Promise.all(frames.map(handedOver));
      const wrong = answers.filter((answer) => answer.result !== "success");
      const errors = wrong.flatMap((answer) => answer.errors || []);
      const result = wrong.length
        ? { result: "error", message: wrong[0].message, errors }
        : { result: "success", message: "The fields were handed over." };
      if (options.onResult) options.onResult(result);
      return result;
    };
    current = { submit };
    return current;
  };

  let current = null;
  return { init, submit: () => current.submit() };
})();
