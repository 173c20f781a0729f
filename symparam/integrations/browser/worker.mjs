// Python, in a thread of its own, so that the page never freezes; everything comes from this folder.
import { loadPyodide } from "./pyodide/pyodide.mjs";
import { start } from "./start.mjs";

const say = (stage, more = {}) => postMessage({ stage, ...more });
let asked = null;

const started = (async () => {
  // Loaded while Python starts.
  const archive = fetch(new URL("packages.zip", import.meta.url)).then(found => found.arrayBuffer());
  const [, answer] = await start(loadPyodide, { indexURL: new URL("pyodide/", import.meta.url).href }, archive, say);
  say("ready");
  return answer;
})();

onmessage = async ({ data }) => {
  asked = data.number;
  try {
    const answer = await started;
    if (asked !== data.number) return;
    say("answering");
    say("answered", { number: data.number, html: answer(data.text, data.model, data.language) });
  } catch (error) {
    say("failed", { number: data.number, error: String(error.message ?? error).trim().split("\n").pop() });
  }
};
started.catch(error => say("failed", { error: String(error.message ?? error) }));
