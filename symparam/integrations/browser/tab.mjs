// What is pasted goes to the worker, and what it answers onto the page. The text is in the address, if its writer wants that.
const one = id => document.getElementById(id);
const words = JSON.parse(one("words").textContent);
const worker = new Worker(new URL("worker.mjs", import.meta.url), { type: "module" });
let number = 0;

const ask = () => {
  number += 1;
  one("answer").setAttribute("aria-busy", "true");
  worker.postMessage({ number, text: one("text").value, model: one("model").value.trim(), language: document.documentElement.lang.slice(0, 2) });
};
worker.onmessage = ({ data }) => {
  one("status").textContent = words[data.stage] ?? "";
  if (data.stage === "failed") one("answer").textContent = data.error;
  if (data.stage === "answered" && data.number === number) one("answer").innerHTML = data.html;
  if (data.stage === "answered" || data.stage === "failed") one("answer").removeAttribute("aria-busy");
};
one("paste").addEventListener("submit", event => { event.preventDefault(); ask(); });
one("link").addEventListener("click", () => {
  location.hash = new URLSearchParams({ text: one("text").value, model: one("model").value });
});
const restore = () => {
  const found = new URLSearchParams(location.hash.slice(1));
  if (!found.has("text")) return;
  one("text").value = found.get("text");
  one("model").value = found.get("model") ?? "";
  ask();
};
addEventListener("hashchange", restore);
restore();
