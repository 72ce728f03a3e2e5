"use strict";
// Puts the gateway's card fields into the merchant's page as they are, without frames: the same calls as with them.
window.HostedFields = (() => {
  const NAMES = ["card", "expiry", "cvv"];
  const HINTS = { card: ["card_number", "cc-number"], expiry: ["expiry", "cc-exp"], cvv: ["cvv", "cc-csc"] };
  const origin = new URL(document.currentScript.src).origin;
  let current = null;

  const placed = (name, options) => {
    const { id = name, placeholder = "" } = (options.fields || {})[name] || {};
    const input = document.createElement("input");
    [input.name, input.autocomplete] = HINTS[name];
    input.placeholder = placeholder;
    document.getElementById(id).replaceChildren(input);
    return input;
  };

  const init = (options) => {
    const inputs = NAMES.map((name) => placed(name, options));
    const submit = async () => {
      const typed = inputs.map((input) => [input.name, input.value]);
      const body = new URLSearchParams([["token", options.token], ...typed]);
      const reply = await fetch(`${origin}/sdk/hosted-fields/card`, { method: "POST", body });
      const answer = await reply.json();
      const result = reply.ok
        ? { result: "success", message: answer.message }
        : { result: "error", message: answer.error_message, errors: answer.errors || [] };
      if (options.onResult) options.onResult(result);
      return result;
    };
    current = { submit };
    return current;
  };

  return { init, submit: () => current.submit() };
})();
