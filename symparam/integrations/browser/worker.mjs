// Python, in a thread of its own, so that the page never freezes; everything comes from this folder.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const say = (stage, more = {}) => postMessage({ stage, ...more });
let asked = null;

const started = (async () => {
  say("python");
  const python = await loadPyodide({ indexURL: new URL("pyodide/", import.meta.url).href });
  say("packages");
  const packages = await (await fetch(new URL("packages.zip", import.meta.url))).arrayBuffer();
  python.FS.writeFile("/packages.zip", new Uint8Array(packages));
  python.runPython("import sys, zipfile; zipfile.ZipFile('/packages.zip').extractall('/packages'); sys.path.insert(0, '/packages')");
  say("symparam");
  const answer = python.runPython("from symparam.integrations.browser.answering import answer; answer('1 + 1 = 2', '', 'en'); answer");
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
