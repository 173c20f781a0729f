// Python with the packages of the archive, as the tab and what prepares the archive start it. It answers once before it is ready: the first
// answer imports most of symparam.
export const FOLDER = "/packages", ARCHIVE = "/packages.zip";

export const start = async (loadPyodide, options, archive, say = () => {}) => {
  say("python");
  const python = await loadPyodide(options);
  say("packages");
  python.FS.writeFile(ARCHIVE, new Uint8Array(await archive));
  python.runPython(`import sys, zipfile; zipfile.ZipFile('${ARCHIVE}').extractall('${FOLDER}'); sys.path.insert(0, '${FOLDER}')`);
  say("symparam");
  const answer = python.runPython("from symparam.integrations.browser.answering import answer; answer('1 + 1 = 2', '', 'en'); answer");
  return [python, answer];
};
