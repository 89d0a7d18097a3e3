/* What allauth's scripts leave to the page: to say in words why a passkey did not work, and that this browser knows none. */
"use strict";

{
  const NO_PASSKEYS = "This browser can't use passkeys here.";
  const WORDS = {
    NotAllowedError: "Nothing came of it: it was cancelled, or it took too long. Try again.",
    AbortError: "Nothing came of it: it was cancelled. Try again.",
    InvalidStateError: "This device is set up here already.",
    SecurityError: "Browsers don't allow passkeys at this address.",
    NotSupportedError: "This device can't keep the kind of passkey that is asked for.",
  };

  function tell(text) {
    const place = document.querySelector("[data-passkey-trouble]");
    place.textContent = text;
    place.hidden = false;
  }

  document.addEventListener("allauth.error", (event) => {
    event.preventDefault();
    tell(WORDS[event.detail.exception.name] ?? "The passkey did not work. Try again in a moment.");
  });

  document.addEventListener("DOMContentLoaded", () => {
    if (window.PublicKeyCredential) return;
    for (const button of document.querySelectorAll("[data-passkey]")) button.disabled = true;
    tell(NO_PASSKEYS);
  });
}
