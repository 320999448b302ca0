// What all parts of the page use. Texts of the model become text nodes and attributes, never markup.
const data = JSON.parse(document.getElementById('data').textContent);
const report = data.document;
const byId = id => document.getElementById(id);
const SVG = 'http://www.w3.org/2000/svg';

const fill = (element, attributes, children) => {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  for (const child of children.flat(9)) {
    if (child === undefined || child === null || child === false) continue;
    element.append(child);
  }
  return element;
};
const html = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const svg = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

const number = n => String(n).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
const counted = (n, one, many = `${one}s`) => `${number(n)} ${n === 1 ? one : many}`;
const bytes = n => {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let unit = 0;
  while (n >= 1000 && unit < units.length - 1) { n /= 1000; unit++; }
  return `${n >= 100 || unit === 0 ? Math.round(n) : n.toFixed(1)} ${units[unit]}`;
};
const duration = s => s >= 60 ? `${Math.floor(s / 60)} min ${Math.round(s % 60)} s` : s >= 1 ? `${s.toFixed(1)} s` : s < 0.0005 ? 'less than 1 ms' : `${Math.round(s * 1000)} ms`;
const cut = (text, length) => text.length > length ? text.slice(0, Math.max(1, length - 1)) + '…' : text;
// A sentence in which names stand between backquotes.
const prose = text => text.split(/`([^`]*)`/).map((part, i) => i % 2 ? html('code', {}, part) : part);
// A colour for each name, always the same.
const colours = new Map();
const colour = name => {
  if (!colours.has(name)) colours.set(name, colours.size % 6);
  return colours.get(name);
};
const verdictClass = { holds: 'good', violated: 'bad', unknown: 'doubt' };
const verdictMark = { holds: '✓', violated: '✗', unknown: '?' };
// Only the name of the file: the folder stands in the title of the button, and at the top of the page.
const placeText = place => `${place.file.split(/[\\/]/).pop()}:${place.line}`;
// Goes to a line of the model; the run says how.
let showLine = () => {};
const placeButton = place => place && place.file && place.line
  ? html('button', { type: 'button', class: 'place', title: `${place.file}:${place.line}`, onclick: () => showLine(place.file, place.line, true) }, placeText(place))
  : null;
const show = (id, visible) => { byId(id).hidden = !visible; };
