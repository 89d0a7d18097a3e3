/* What the pages do by themselves: theme, menu, copy, local times, polling manners, and sending files.
   Everything hangs on the document by delegation, so that parts which htmx exchanges need no set-up. */
"use strict";

const root = document.documentElement;
root.classList.add("js");

/* Theme: the system's, until somebody switches. */
try {
  const kept = localStorage.getItem("pam-theme");
  if (kept) root.dataset.theme = kept;
} catch { /* storage is blocked: the system's theme it is */ }

function switchTheme() {
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  try { localStorage.setItem("pam-theme", root.dataset.theme); } catch { /* lasts for this page */ }
}

/* A short message at the foot of the page. */
let toastTimer;
function toast(text) {
  const box = document.getElementById("toast");
  box.textContent = text;
  box.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { box.hidden = true; }, 5000);
}

/* Copy */
function fallbackCopy(text) {
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  return copied;
}

async function copy(button) {
  const source = document.getElementById(button.dataset.copy);
  const text = source.textContent.trim();
  try {
    if (navigator.clipboard) await navigator.clipboard.writeText(text);
    else if (!fallbackCopy(text)) throw new Error("no clipboard");
    const label = button.querySelector("[data-label]");
    button.classList.add("done");
    label.textContent = "Copied";
    setTimeout(() => { button.classList.remove("done"); label.textContent = "Copy"; }, 2000);
  } catch {
    getSelection().selectAllChildren(source);
    toast("Your browser does not let the page copy. The text is selected: copy it yourself.");
  }
}

/* Times are written in UTC and shown in the reader's zone. */
const clock = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const exactClock = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
function localTimes(part) {
  for (const time of part.querySelectorAll("time[datetime]:not([data-local])")) {
    time.dataset.local = "";
    time.title = time.textContent;
    time.textContent = ("seconds" in time.dataset ? exactClock : clock).format(new Date(time.dateTime));
  }
}

function prepare(part) {
  localTimes(part);
  for (const button of part.querySelectorAll("[data-theme-switch], [data-js]")) button.hidden = false;
}

document.addEventListener("DOMContentLoaded", () => {
  prepare(document);
  /* On a phone the pages stand in a row that scrolls: the present one is in sight. */
  const row = document.querySelector(".bar .nav");
  const here = row?.querySelector("[aria-current]");
  if (here) row.scrollLeft = here.offsetLeft - (row.clientWidth - here.offsetWidth) / 2;
});
document.addEventListener("htmx:load", (event) => prepare(event.detail.elt));

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy], [data-theme-switch], [data-pick]");
  if (button?.dataset.copy) copy(button);
  else if (button?.dataset.pick) document.getElementById(button.dataset.pick).click();
  else if (button) switchTheme();
  for (const menu of document.querySelectorAll("details[data-menu][open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of document.querySelectorAll("details[data-menu][open]")) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});

/* htmx: a poll never takes an open question away, and never repeats that the server is gone. */
const isPoll = (detail) => detail.requestConfig?.triggeringEvent === undefined && detail.requestConfig?.verb === "get";
document.addEventListener("htmx:beforeRequest", (event) => {
  if (isPoll(event.detail) && document.querySelector(":popover-open")) event.preventDefault();
});
document.addEventListener("htmx:responseError", (event) => {
  if (isPoll(event.detail)) return;
  const told = { 403: "That was refused. Reload the page, then try again.", 404: "That is gone already. Reload the page.", 429: "Slow down a little, then try again." };
  toast(told[event.detail.xhr.status] ?? "That did not work. Try again in a moment.");
});
document.addEventListener("htmx:sendError", (event) => {
  if (!isPoll(event.detail)) toast("The server did not answer. Check your connection, then try again.");
});

/* Forms that are sent by a choice; and the reader's time zone, for pages that count by days and hours. */
document.addEventListener("change", (event) => {
  if (event.target.matches("[data-submits]")) event.target.form.requestSubmit();
});
document.addEventListener("DOMContentLoaded", () => {
  const field = document.querySelector("[data-time-zone]");
  const asked = new URLSearchParams(location.search);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!field || !zone || asked.has("tz") || field.value === zone) return;
  asked.set("tz", zone);
  location.replace(`${location.pathname}?${asked}`);
});
