// What a page of ours looks like where it is shown, in CSS pixels. `frame` is its window.
const page = frame.document;
for (const folded of page.querySelectorAll('details')) folded.open = true;
const all = (selector, inside = page) => [...inside.querySelectorAll(selector)];
const box = e => { const b = e.getBoundingClientRect(); return {left: b.left, top: b.top, right: b.right, bottom: b.bottom}; };
const words = element => { const range = page.createRange(); range.selectNodeContents(element); return range.getBoundingClientRect(); };

// Pieces of text with the boxes of their lines; a formula is one piece, and so is a line in a drawing.
const pieces = [];
const walker = page.createTreeWalker(page.querySelector('.symparam'), NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, node => {
  if (node.nodeType === 3) return node.data.trim() ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_REJECT;
  // Words for those who listen only are clipped to nothing.
  if (node.localName === 'style' || frame.getComputedStyle(node).clipPath === 'inset(50%)') return NodeFilter.FILTER_REJECT;
  return ['math', 'text'].includes(node.localName) ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_SKIP;
});
for (let node = walker.nextNode(); node; node = walker.nextNode()) {
  if (node.nodeType === 3 && node.parentElement.closest('math, text')) continue;
  const range = page.createRange();
  range.selectNode(node);
  // Of a formula that can be scrolled only what shows is on the page.
  const around = (node.nodeType === 3 ? node.parentElement : node).closest('.scroll.wide')?.getBoundingClientRect();
  for (const b of node.nodeType === 3 ? range.getClientRects() : [node.getBoundingClientRect()])
    pieces.push({left: b.left, top: b.top, right: around ? Math.min(b.right, around.right) : b.right, bottom: b.bottom, text: node.textContent.slice(0, 40),
      scrolls: !!(node.nodeType === 3 ? node.parentElement : node).closest('.scroll')});
}
pieces.sort((a, b) => a.top - b.top);
const overlaps = [];
pieces.forEach((a, index) => {
  for (let next = index + 1; next < pieces.length && pieces[next].top < a.bottom; next++) {
    const b = pieces[next];
    // The boxes of lines reach into each other by the room for accents that no letter here has.
    if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && a.bottom - b.top > 0.35 * Math.min(a.bottom - a.top, b.bottom - b.top))
      overlaps.push([a.text, b.text]);
  }
});

return {
  dark: frame.matchMedia('(prefers-color-scheme: dark)').matches,
  background: frame.getComputedStyle(page.body).backgroundColor,
  viewport: page.documentElement.clientWidth,
  width: page.documentElement.scrollWidth,
  // What is wider than the page and in no box that scrolls.
  wide: pieces.filter(p => p.right > page.documentElement.clientWidth + 0.5 && !p.scrolls && !p.text.startsWith(' ')).map(p => p.text),
  pieces: pieces.length,
  overlaps,
  smallest: Math.min(...all('.symparam *').filter(e => e.childNodes.length && [...e.childNodes].some(c => c.nodeType === 3 && c.data.trim())
    && !e.closest('style, math')).map(e => parseFloat(frame.getComputedStyle(e).fontSize) * (e.getScreenCTM?.().a ?? 1))),
  // Whatever sticks out of the box that it is written in.
  outside: all('.title, .chain > div, .row, li, p, h1, h2, h3, figcaption').filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.textContent.slice(0, 60)),
  chains: all('.chain').map(c => all('.sign math', c).map(s => box(s).left)).filter(signs => signs.length > 1),
  sums: all('.chain').map(c => all('.right', c).map(r => box(r).left)).filter(sides => sides.length > 1),
  numeric: all('table').flatMap(t => all('thead .numeric', t).map(h =>
    all('tbody tr', t).map(r => r.children[h.cellIndex]).filter(c => c.textContent).map(c => words(c).right))),
  scrolling: all('.scroll').filter(s => s.scrollWidth > s.clientWidth).map(s => s.tabIndex),
  bars: all('.bars > li').map(li => ({
    track: box(li.querySelector('.track')), bar: box(li.querySelector('.track > span')),
    number: li.querySelector('.number').textContent, right: words(li.querySelector('.percent')).right,
  })),
  whole: all('.whole .track > span').map(box),
  boxes: all('.box').map(b => ({box: box(b), outer: b.parentElement.closest('.box') && box(b.parentElement.closest('.box')),
    next: b.nextElementSibling && box(b.nextElementSibling)})),
  brackets: all('mrow').filter(r => r.querySelector(':scope > mfrac') && r.firstElementChild.localName === 'mo').map(r =>
    [r.firstElementChild, r.querySelector(':scope > mfrac')].map(box)),
  digits: all('mn').map(n => n.textContent),
};
