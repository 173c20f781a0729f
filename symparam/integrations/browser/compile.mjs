// Writes the archive of packages with the bytecode of Pyodide's Python: node compile.mjs PYODIDE ARCHIVE RESULT
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { ARCHIVE, FOLDER, start } from "./start.mjs";

const [folder, archive, result] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(resolve(folder, "pyodide.mjs")));
// Without a random seed, so that the same packages give the same bytes.
const [python] = await start(loadPyodide, { indexURL: resolve(folder), env: { PYTHONHASHSEED: "0" } }, readFileSync(archive));
python.runPython(`from symparam.integrations.browser.bytecode import compiled; compiled('${ARCHIVE}', '${FOLDER}', '/compiled.zip')`);
writeFileSync(result, python.FS.readFile("/compiled.zip"));
