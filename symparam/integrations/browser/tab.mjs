// What is pasted goes to the worker, and what it answers onto the page. The text is in the address, if its writer wants that.
const one = id => document.getElementById(id);
const words = JSON.parse(one("words").textContent);
const LIMIT = 60_000; // Milliseconds for one answer.
const LONGEST = 500_000; // Characters of an address that browsers still keep.
let worker, number = 0, timer;

const idle = () => {
  clearTimeout(timer);
  one("stop").hidden = true;
  one("answer").removeAttribute("aria-busy");
};
const start = () => {
  worker = new Worker(new URL("worker.mjs", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }) => {
    one("status").textContent = words[data.stage] ?? "";
    if (data.stage === "answering") {
      clearTimeout(timer);
      timer = setTimeout(() => stop("too-slow"), LIMIT);
    }
    if (data.stage === "failed") one("answer").textContent = data.error;
    if (data.stage === "answered" && data.number === number) one("answer").innerHTML = data.html;
    if (data.stage === "failed" || data.stage === "answered" && data.number === number) idle();
  };
};
// Python cannot be interrupted from outside, so that another one starts in its place.
const stop = why => {
  worker.terminate();
  number += 1;
  start();
  idle();
  one("status").textContent = words.python;
  one("answer").textContent = words[why];
};
const ask = () => {
  number += 1;
  one("answer").setAttribute("aria-busy", "true");
  one("stop").hidden = false;
  worker.postMessage({ number, text: one("text").value, model: one("model").value.trim(), language: document.documentElement.lang.slice(0, 2) });
};
one("paste").addEventListener("submit", event => { event.preventDefault(); ask(); });
one("stop").addEventListener("click", () => stop("stopped"));
one("link").addEventListener("click", () => {
  const address = new URLSearchParams({ text: one("text").value, model: one("model").value }).toString();
  if (address.length > LONGEST) one("status").textContent = words["too-long"];
  else location.hash = address;
});
const restore = () => {
  const found = new URLSearchParams(location.hash.slice(1));
  if (!found.has("text")) return;
  one("text").value = found.get("text");
  one("model").value = found.get("model") ?? "";
  ask();
};
addEventListener("hashchange", restore);
start();
restore();
