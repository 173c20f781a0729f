// Each line of standard input is {"tex": ..., "display": ...}; what KaTeX or MathJax refuses is printed, one line each.
const fs = require('fs');
const katex = require('katex');
const { mathjax } = require('mathjax-full/js/mathjax.js');
const { TeX } = require('mathjax-full/js/input/tex.js');
const { SVG } = require('mathjax-full/js/output/svg.js');
const { liteAdaptor } = require('mathjax-full/js/adaptors/liteAdaptor.js');
const { RegisterHTMLHandler } = require('mathjax-full/js/handlers/html.js');
require('mathjax-full/js/input/tex/AllPackages.js');

RegisterHTMLHandler(liteAdaptor());
// GitHub loads textmacros, which read what is inside \text more strictly.
const documents = [['base', 'ams'], ['base', 'ams', 'textmacros']].map(packages => mathjax.document('', {
  InputJax: new TeX({ packages, formatError(_, error) { throw error; } }), OutputJax: new SVG({ fontCache: 'none' }),
}));

for (const line of fs.readFileSync(0, 'utf8').split('\n').filter(Boolean)) {
  const { tex, display } = JSON.parse(line);
  const tries = [() => katex.renderToString(tex, { displayMode: display, throwOnError: true, strict: 'error' }),
    ...documents.map(document => () => document.convert(tex, { display }))];
  for (const attempt of tries) {
    try { attempt(); } catch (error) { console.log(`${error.message}: ${tex}`); }
  }
}
