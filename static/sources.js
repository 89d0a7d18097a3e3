/* The Sources page: files and folders by drag and drop or by choosing, sent in batches so that a thousand of them work. */
"use strict";

const BATCH_FILES = 40;
const BATCH_BYTES = 8 * 1024 * 1024;
const HIDDEN = /(^|\/)(\.[^/]+|__MACOSX|Thumbs\.db|desktop\.ini)(\/|$)/;

const page = (id) => document.getElementById(id);
const count = (number, noun) => `${number.toLocaleString()} ${noun}${number === 1 ? "" : "s"}`;

/* Gathering: [{file, path}], where the path keeps the folders. */
function readAll(reader) {
  return new Promise((resolve, reject) => {
    const found = [];
    const more = () => reader.readEntries((entries) => {
      if (!entries.length) resolve(found);
      else { found.push(...entries); more(); }
    }, reject);
    more();
  });
}

async function walk(entry, prefix, into) {
  const path = prefix + entry.name;
  if (entry.isFile) {
    try {
      into.push({ file: await new Promise((resolve, reject) => entry.file(resolve, reject)), path });
    } catch {
      into.push({ file: null, path });
    }
    return;
  }
  for (const child of await readAll(entry.createReader())) await walk(child, path + "/", into);
}

async function dropped(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.length) return [...transfer.files].map((file) => ({ file, path: file.name }));
  const found = [];
  for (const entry of entries) await walk(entry, "", found);
  return found;
}

const chosen = (input) => [...input.files].map((file) => ({ file, path: file.webkitRelativePath || file.name }));

/* Sending */
class Import {
  constructor(form) {
    this.form = form;
    this.panel = page("upload");
    this.limit = Number(form.dataset.maxBytes);
    this.archiveLimit = Number(form.dataset.maxArchiveBytes);
    this.reset();
  }

  reset() {
    Object.assign(this, { waiting: [], refused: [], sent: 0, accepted: 0, bytes: 0, bytesSent: 0, hidden: 0, busy: false, stopped: false, problem: "" });
  }

  async add(found) {
    if (!this.busy && !this.waiting.length) this.reset();
    for (const { file, path } of found) {
      if (HIDDEN.test(path)) { this.hidden += 1; continue; }
      const reason = this.reasonAgainst(file, path);
      if (reason) this.refused.push({ path, reason });
      else { this.waiting.push({ file, path }); this.bytes += file.size; }
    }
    if (this.busy) this.show();
    else await this.run();
  }

  reasonAgainst(file, path) {
    if (!file) return "Your browser could not read it.";
    const limit = path.toLowerCase().endsWith(".zip") ? this.archiveLimit : this.limit;
    if (file.size > limit) return `It is larger than ${Math.floor(limit / 1048576)} MB.`;
    return "";
  }

  /* The next files of one source (a folder, or loose files) that fit into one request. */
  batch() {
    const source = sourceOf(this.waiting[0].path);
    const taken = [];
    let bytes = 0;
    while (this.waiting.length && taken.length < BATCH_FILES && sourceOf(this.waiting[0].path) === source) {
      if (taken.length && bytes + this.waiting[0].file.size > BATCH_BYTES) break;
      bytes += this.waiting[0].file.size;
      taken.push(this.waiting.shift());
    }
    return { source, taken, bytes };
  }

  async run() {
    Object.assign(this, { busy: true, stopped: false, problem: "" });
    this.show();
    while (this.waiting.length && !this.stopped) {
      const { source, taken, bytes } = this.batch();
      try {
        const answer = await this.send(source, taken);
        this.accepted += answer.documents.length;
        this.refused.push(...answer.refused);
        this.sent += taken.length;
        this.bytesSent += bytes;
      } catch (error) {
        this.waiting.unshift(...taken);
        this.problem = error.message;
        this.stopped = true;
      }
      this.inFlight = 0;
      this.show();
      document.body.dispatchEvent(new Event("imported"));
    }
    this.busy = false;
    this.show();
  }

  send(source, taken) {
    const data = new FormData();
    if (source) data.append("source", source);
    for (const { file, path } of taken) {
      data.append("files", file, file.name);
      data.append("paths", source ? path.slice(source.length + 1) : path);
    }
    return new Promise((resolve, reject) => {
      const call = this.call = new XMLHttpRequest();
      call.open("POST", this.form.dataset.upload);
      call.setRequestHeader("X-CSRFToken", this.token());
      call.setRequestHeader("Accept", "application/json");
      call.upload.onprogress = (event) => { this.inFlight = event.loaded; this.bar(); };
      call.onload = () => this.answered(call, resolve, reject);
      call.onerror = () => reject(new Error("The server did not answer."));
      call.onabort = () => reject(new Error("You stopped it."));
      call.send(data);
    });
  }

  /* The cookie's is the present one, also after signing in again in another tab. */
  token() {
    const name = `${this.form.dataset.csrfCookie}=`;
    const cookie = document.cookie.split("; ").find((part) => part.startsWith(name));
    return cookie ? cookie.slice(name.length) : this.form.elements.csrfmiddlewaretoken.value;
  }

  answered(call, resolve, reject) {
    let body = {};
    try { body = JSON.parse(call.responseText); } catch { /* a proxy's page, or nothing */ }
    if (body.documents && body.refused) resolve(body);
    else if (call.status === 401) reject(new Error("You are signed out. Sign in again in another tab, then go on here."));
    else if (call.status === 413) reject(new Error("The server refused a request of this size."));
    else reject(new Error(body.message || `The server answered ${call.status}.`));
  }

  stop() {
    this.stopped = true;
    this.call?.abort();
  }

  /* Showing */
  bar() {
    const whole = this.bytes || 1;
    page("upload-bar").value = Math.min(1, (this.bytesSent + (this.inFlight || 0)) / whole);
  }

  show() {
    this.panel.hidden = false;
    this.bar();
    page("upload-text").textContent = this.told();
    page("upload-count").textContent = this.busy ? `${this.sent.toLocaleString()} of ${(this.sent + this.waiting.length).toLocaleString()}` : "";
    page("upload-bar").hidden = !this.busy && !this.waiting.length;
    page("upload-stop").hidden = !this.busy;
    page("upload-again").hidden = this.busy || !this.waiting.length;
    this.showRefused();
  }

  told() {
    if (this.busy) return "Sending files …";
    if (this.waiting.length) return `${this.problem} ${count(this.waiting.length, "file")} not sent yet.`;
    const parts = [];
    if (this.accepted) parts.push(`${count(this.accepted, "document")} taken in. They can be found as soon as they are read.`);
    else if (!this.refused.length) parts.push("There was nothing to import.");
    if (this.refused.length) parts.push(`${count(this.refused.length, "file")} refused.`);
    if (this.hidden) parts.push(`${count(this.hidden, "hidden file")} left out.`);
    return parts.join(" ");
  }

  showRefused() {
    page("refused-box").hidden = !this.refused.length;
    page("refused").replaceChildren(...this.refused.map(({ path, reason }) => {
      const item = document.createElement("li");
      const name = document.createElement("strong");
      const why = document.createElement("span");
      name.textContent = path;
      why.textContent = reason;
      item.append(name, why);
      return item;
    }));
  }
}

/* The folder at the top of a path is a source of its own; loose files share one. */
function sourceOf(path) {
  const cut = path.indexOf("/");
  return cut > 0 ? path.slice(0, cut) : "";
}

document.addEventListener("DOMContentLoaded", () => {
  const form = page("import");
  if (!form) return;
  const work = new Import(form);
  for (const input of [page("files"), page("folder")]) {
    input.addEventListener("change", () => { work.add(chosen(input)); input.value = ""; });
  }
  page("upload-stop").addEventListener("click", () => work.stop());
  page("upload-again").addEventListener("click", () => work.run());
  /* Files that are not sent yet are lost with the page: neither a slip nor a poll that finds the session over may take it. */
  addEventListener("beforeunload", (event) => { if (work.busy || work.waiting.length) event.preventDefault(); });
  document.addEventListener("htmx:beforeRequest", (event) => { if (work.problem && work.waiting.length) event.preventDefault(); });

  let depth = 0;
  const files = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  addEventListener("dragenter", (event) => { if (files(event)) { depth += 1; form.classList.add("over"); } });
  addEventListener("dragleave", (event) => { if (files(event) && --depth <= 0) { depth = 0; form.classList.remove("over"); } });
  addEventListener("dragover", (event) => { if (files(event)) event.preventDefault(); });
  addEventListener("drop", async (event) => {
    if (!files(event)) return;
    event.preventDefault();
    depth = 0;
    form.classList.remove("over");
    work.add(await dropped(event.dataTransfer));
  });
});
