// Drives a real browser by mouse, touch and keys, as a reader does: node driven.mjs KIND PROGRAM FOLDER < steps.json > found.json
// Chromium is spoken to by its DevTools protocol, Firefox by WebDriver BiDi; a step is a name with its operands.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

const [kind, program, folder] = process.argv.slice(2), firefox = kind === "firefox";
const steps = JSON.parse(readFileSync(0, "utf8")), sleep = time => new Promise(go => setTimeout(go, time));
const common = firefox ? ["--headless", "--no-remote", "--profile", folder] : ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync", `--user-data-dir=${folder}`];
const browser = spawn(program, [...common, "--remote-debugging-port=0"], { stdio: ["ignore", "ignore", "pipe"] });
const address = new Promise((found, failed) => {
  let said = "";
  browser.stderr.on("data", data => { said += data; const at = said.match(/listening on (ws:\S+)/); if (at) found(at[1]); });
  browser.on("exit", () => failed(Error(`the browser ended: ${said.slice(-300)}`)));
});
const connected = url => new Promise((open, failed) => {
  const socket = new WebSocket(url);
  socket.onopen = () => open(socket);
  socket.onerror = failed;
});
let socket = await connected(await address + (firefox ? "/session" : "")), number = 0, session;
const waiting = new Map();
const listen = () => { socket.onmessage = ({ data }) => { const said = JSON.parse(data); waiting.get(said.id)?.(said); waiting.delete(said.id); }; };
listen();
const send = async (method, params = {}) => {
  number += 1;
  const answered = new Promise(found => waiting.set(number, found));
  socket.send(JSON.stringify({ id: number, method, params, ...(session ? { sessionId: session } : {}) }));
  const said = await answered;
  if (said.error) throw Error(`${method}: ${JSON.stringify(said)}`);
  return said.result;
};

let context;
if (firefox) {
  await send("session.new", { capabilities: {} });
  context = (await send("browsingContext.getTree")).contexts[0].context;
} else {
  const { targetInfos } = await send("Target.getTargets"), page = targetInfos.find(({ type }) => type === "page");
  session = (await send("Target.attachToTarget", { targetId: page.targetId, flatten: true })).sessionId;
  await send("Emulation.setTouchEmulationEnabled", { enabled: true });
}

const ask = async expression => {
  const written = `(async () => JSON.stringify(await (${expression})) ?? "null")()`;
  if (!firefox) {
    const { result, exceptionDetails } = await send("Runtime.evaluate", { expression: written, awaitPromise: true, allowUnsafeEvalBlockedByCSP: false });
    if (exceptionDetails) throw Error(`${expression}: ${exceptionDetails.exception?.description}`);
    return JSON.parse(result.value);
  }
  const { result, exceptionDetails } = await send("script.evaluate", { expression: written, target: { context }, awaitPromise: true });
  if (exceptionDetails) throw Error(`${expression}: ${exceptionDetails.text}`);
  return JSON.parse(result.value);
};
const place = async selector => {
  const found = await ask(`(() => {
    const each = document.querySelector(${JSON.stringify(selector)});
    each.scrollIntoView({ block: "center", behavior: "instant" });
    const box = each.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  })()`);
  return { x: Math.round(found[0]), y: Math.round(found[1]) };
};
const act = (type, pointerType, at, actions) => send("input.performActions", { context, actions: [
  { type, id: type + pointerType, ...(pointerType ? { parameters: { pointerType } } : {}), actions: [...at, ...actions] }] });
const pointed = pointerType => async selector => {
  const at = await place(selector), down = { type: "pointerDown", button: 0 }, up = { type: "pointerUp", button: 0 };
  if (firefox) return act("pointer", pointerType, [{ type: "pointerMove", ...at }], [down, up]);
  if (pointerType === "touch") {
    await send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [at] });
    return send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  }
  for (const type of ["mouseMoved", "mousePressed", "mouseReleased"]) await send("Input.dispatchMouseEvent", { type, ...at, button: "left", clickCount: 1 });
};
const KEYS = { Tab: ["\uE004", 9], Enter: ["\uE007", 13], ArrowRight: ["\uE014", 39], ArrowLeft: ["\uE012", 37], " ": [" ", 32], Escape: ["\uE00C", 27] };
const does = {
  open: async (url, width, scheme = "light") => {
    await does.view(width, 900, scheme);
    if (firefox) return send("browsingContext.navigate", { context, url, wait: "complete" });
    await send("Page.navigate", { url });
    for (let tries = 0; tries < 200; tries++) {
      // A page may write what it shows behind the "#" of its address as it opens.
      const file = address => address.split("#")[0];
      if (await ask("[location.href, document.readyState]").then(([at, state]) => file(at) === file(url) && state === "complete", () => false)) return;
      await sleep(50);
    }
    throw Error(`${url} did not open`);
  },
  // Firefox takes neither the scheme nor the medium of an open page from outside.
  view: async (width, height, scheme = "light", media = "screen") => {
    if (firefox) return send("browsingContext.setViewport", { context, viewport: { width, height } });
    await send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: width < 600 });
    await send("Emulation.setEmulatedMedia", { media, features: [{ name: "prefers-color-scheme", value: scheme }] });
  },
  // As for a reader who asks for less motion.
  still: async () => send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-reduced-motion", value: "reduce" }] }),
  tap: pointed("touch"),
  click: pointed("mouse"),
  hover: async selector => {
    const at = await place(selector);
    return firefox ? act("pointer", "mouse", [{ type: "pointerMove", ...at }], []) : send("Input.dispatchMouseEvent", { type: "mouseMoved", ...at });
  },
  key: async (name, times = 1) => {
    const [value, code] = KEYS[name];
    for (let time = 0; time < times; time++) {
      if (firefox) { await act("key", "", [], [{ type: "keyDown", value }, { type: "keyUp", value }]); continue; }
      const text = name === "Enter" ? "\r" : name === " " ? " " : undefined;
      await send("Input.dispatchKeyEvent", { type: text ? "keyDown" : "rawKeyDown", key: name, windowsVirtualKeyCode: code, text });
      await send("Input.dispatchKeyEvent", { type: "keyUp", key: name, windowsVirtualKeyCode: code });
    }
  },
  type: async (selector, text) => {
    await ask(`document.querySelector(${JSON.stringify(selector)}).select() ?? null`);
    if (!firefox) return send("Input.insertText", { text });
    await ask(`document.querySelector(${JSON.stringify(selector)}).focus() ?? null`);
    return act("key", "", [], [...text].flatMap(value => [{ type: "keyDown", value }, { type: "keyUp", value }]));
  },
  back: () => (firefox ? send("browsingContext.traverseHistory", { context, delta: -1 }) : ask("history.back() ?? null")).then(() => sleep(300)),
  wait: async expression => { for (let tries = 0; tries < 1200 && !await ask(expression); tries++) await sleep(100); },
};

const found = [];
let failed = null;
try {
  for (const [name, ...operands] of steps) name === "ask" ? found.push(await ask(operands[0])) : await does[name](...operands);
} catch (error) { failed = error; }
browser.removeAllListeners("exit");
browser.kill();
await new Promise(ended => { browser.on("exit", ended); setTimeout(ended, 5000); });
if (failed) throw failed;
process.stdout.write(JSON.stringify(found), () => process.exit(0));
