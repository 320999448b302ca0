// The graph of states: each level of the search is a line. Edges that lead down are straight, others are bows.
const drawStates = () => {
  const graph = data.graph;
  const body = byId('states-body');
  if (!graph || !graph.drawn) {
    const why = graph && graph.reason ? graph.reason : null;
    show('states', Boolean(why));
    if (why) body.append(html('div', { class: 'card' }, html('p', {}, `The graph of states is not drawn: ${why}. `, html('code', {}, '--graph FILE'), ' writes larger ones.')));
    return;
  }
  const states = graph.states;
  const edges = [];
  for (let i = 0; i < graph.edges.length; i += 4) edges.push({ from: graph.edges[i], to: graph.edges[i + 1], label: graph.edges[i + 2], turn: graph.edges[i + 3] });
  const out = states.map(() => []);
  const into = states.map(() => []);
  edges.forEach(e => { out[e.from].push(e); into[e.to].push(e); });
  const [stepX, stepY, radius] = [1, 1.7, states.length > 300 ? 0.32 : 0.36];
  const px = s => states[s].x * stepX;
  const py = s => states[s].y * stepY;
  const path = list => list.map(({ from, to }) => {
    const [x1, y1, x2, y2] = [px(from), py(from), px(to), py(to)];
    if (from === to) return `M${x1 + radius * 0.6},${y1 - radius * 0.6} c.7,-.7 .7,1.1 0,${radius * 1.2}`;
    if (states[to].y === states[from].y + 1) return `M${x1},${y1}L${x2},${y2}`;
    const bend = 0.25 * Math.abs(y2 - y1) + 0.6;
    return `M${x1},${y1}Q${(x1 + x2) / 2 + bend},${(y1 + y2) / 2 - (y1 === y2 ? bend : 0)} ${x2},${y2}`;
  }).join('');
  const down = edges.filter(e => states[e.to].y === states[e.from].y + 1);
  const others = edges.filter(e => states[e.to].y !== states[e.from].y + 1);
  const highlights = { in: svg('path', { class: 'edges in' }), out: svg('path', { class: 'edges out' }) };
  const nodes = states.map((state, i) => svg('circle', { class: `node${graph.starts.includes(i) ? ' start' : ''}${state.v ? ' broken' : ''}`, cx: px(i), cy: py(i), r: radius, 'data-state': i },
    svg('title', {}, `state ${i}${state.v ? `: ${state.v.join('; ')}` : ''}`)));
  const numbered = states.length <= 400;
  const numbers = numbered ? states.map((_, i) => svg('text', { class: 'node-number', x: px(i), y: py(i) }, i)) : [];
  const picture = svg('svg', { tabindex: '0', role: 'application', 'aria-label': `${counted(states.length, 'state')}, ${counted(edges.length, 'step')}. Arrow keys go from state to state.` },
    svg('path', { class: 'edges up', d: path(others) }), svg('path', { class: 'edges', d: path(down) }), highlights.in, highlights.out, nodes, numbers);

  const xs = states.map((_, i) => px(i));
  const bounds = { left: Math.min(...xs) - 1.2, right: Math.max(...xs) + 1.2, top: -1, bottom: Math.max(...states.map(s => s.y)) * stepY + 1 };
  const view = { x: 0, y: 0, w: 1, h: 1 };
  const apply = () => picture.setAttribute('viewBox', `${view.x} ${view.y} ${view.w} ${view.h}`);
  const ratio = () => (picture.clientHeight || 1) / (picture.clientWidth || 1);
  const fit = () => {
    const [w, h] = [bounds.right - bounds.left, bounds.bottom - bounds.top];
    view.w = Math.max(w, h / ratio(), 16);
    view.h = view.w * ratio();
    view.x = (bounds.left + bounds.right - view.w) / 2;
    view.y = h < view.h ? (bounds.top + bounds.bottom - view.h) / 2 : bounds.top;
    apply();
  };
  const zoom = (by, x = view.x + view.w / 2, y = view.y + view.h / 2) => {
    const w = Math.max(3, Math.min(4 * (bounds.right - bounds.left + bounds.bottom - bounds.top), view.w * by));
    const real = w / view.w;
    view.x = x - (x - view.x) * real;
    view.y = y - (y - view.y) * real;
    view.w = w;
    view.h = w * ratio();
    apply();
  };
  const spot = event => {
    const box = picture.getBoundingClientRect();
    return [view.x + (event.clientX - box.left) / box.width * view.w, view.y + (event.clientY - box.top) / box.height * view.h];
  };
  picture.addEventListener('wheel', event => {
    if (!event.ctrlKey && document.activeElement !== picture) return;
    event.preventDefault();
    zoom(Math.exp(event.deltaY / 400), ...spot(event));
  }, { passive: false });
  const fingers = new Map();
  let dragged = false;
  picture.addEventListener('pointerdown', event => { fingers.set(event.pointerId, event); dragged = false; });
  picture.addEventListener('pointermove', event => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const scale = view.w / picture.clientWidth;
    if (fingers.size === 2) {
      const other = [...fingers.values()].find(f => f.pointerId !== event.pointerId);
      const apart = f => Math.hypot(f.clientX - other.clientX, f.clientY - other.clientY);
      zoom(apart(before) / Math.max(apart(event), 1), ...spot(other));
      dragged = true;
    } else if (dragged || Math.hypot(event.clientX - before.clientX, event.clientY - before.clientY) > 4) {
      if (!dragged) picture.setPointerCapture(event.pointerId);
      dragged = true;
      view.x -= (event.clientX - before.clientX) * scale;
      view.y -= (event.clientY - before.clientY) * scale;
      apply();
    } else return;
    fingers.set(event.pointerId, event);
  });
  for (const name of ['pointerup', 'pointercancel', 'pointerleave']) picture.addEventListener(name, event => fingers.delete(event.pointerId));

  const contents = s => {
    const chain = [];
    for (let at = s; at !== undefined; at = states[at].p) chain.push(at);
    const values = new Map();
    for (const at of chain.reverse()) {
      const d = states[at].d;
      for (let i = 0; i < d.length; i += 2) d[i + 1] < 0 ? values.delete(d[i]) : values.set(d[i], d[i + 1]);
    }
    return values;
  };
  const side = html('div', { 'aria-live': 'polite' });
  const title = html('h3', {}, 'State');
  let chosen = null;
  const describe = e => [html('code', {}, graph.labels[e.label] || 'step'), graph.permutations[e.turn] ? html('span', { class: 'muted' }, ` · renamed by ${cut(graph.permutations[e.turn], 120)}`) : null];
  const choose = s => {
    chosen = s;
    nodes.forEach(node => node.classList.remove('chosen', 'near'));
    numbers.forEach(text => text.classList.remove('chosen'));
    nodes[s].classList.add('chosen');
    if (numbered) numbers[s].classList.add('chosen');
    out[s].forEach(e => { if (e.to !== s) nodes[e.to].classList.add('near'); });
    highlights.out.setAttribute('d', path(out[s]));
    highlights.in.setAttribute('d', path(into[s]));
    const before = states[s].p === undefined ? new Map() : contents(states[s].p);
    const rows = [...contents(s)].map(([name, value]) => html('tr', { class: states[s].p !== undefined && before.get(name) !== value ? 'changed' : null }, html('td', {}, graph.names[name]), html('td', {}, graph.values[value])));
    title.textContent = `State ${s}, level ${states[s].y}`;
    const link = (e, to, arrow) => html('button', { type: 'button', class: 'next', onclick: () => { choose(to); look(to); } }, `${arrow} ${to}  `, describe(e));
    side.replaceChildren(...[
      ...(states[s].v || []).map(text => html('p', { class: 'badge bad long' }, `✗ ${text}`)),
      html('div', { class: 'sub' }, counted(out[s].length, 'step')), ...out[s].map(e => link(e, e.to, '→')),
      html('div', { class: 'sub' }, 'Variables'), html('table', { class: 'values' }, html('tbody', {}, rows)),
      html('div', { class: 'sub' }, `Reached from ${counted(into[s].length, 'state')}`), ...into[s].slice(0, 40).map(e => link(e, e.from, '←')),
    ]);
    side.scrollTop = 0;
  };
  const look = s => {
    const margin = view.w * 0.1;
    if (px(s) < view.x + margin || px(s) > view.x + view.w - margin) view.x = px(s) - view.w / 2;
    if (py(s) < view.y + margin * ratio() || py(s) > view.y + view.h - margin * ratio()) view.y = py(s) - view.h / 2;
    apply();
  };
  picture.addEventListener('click', event => {
    if (dragged) return;
    const state = event.target.dataset && event.target.dataset.state;
    if (state !== undefined) choose(Number(state));
  });
  const sideways = by => {
    const line = states.map((_, i) => i).filter(i => states[i].y === states[chosen].y).sort((a, b) => px(a) - px(b));
    return line[line.indexOf(chosen) + by];
  };
  picture.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const keys = {
      ArrowDown: () => { const e = out[chosen].find(e => states[e.to].y > states[chosen].y) || out[chosen].find(e => e.to !== chosen); return e && e.to; },
      ArrowUp: () => states[chosen].p, ArrowLeft: () => sideways(-1), ArrowRight: () => sideways(1), Home: () => graph.starts[0],
    };
    if (event.key === '+' || event.key === '=') zoom(0.8);
    else if (event.key === '-') zoom(1.25);
    else if (event.key === '0') fit();
    else if (keys[event.key]) {
      const to = keys[event.key]();
      if (to !== undefined) { choose(to); look(to); }
    } else return;
    event.preventDefault();
  });
  const button = (text, label, act) => html('button', { type: 'button', 'aria-label': label, title: label, onclick: act }, text);
  const broken = states.filter(s => s.v).length;
  const quotient = graph.strategy !== 'off' && report.symmetry.order !== '1';
  body.append(
    html('p', { class: 'muted' }, `${counted(states.length, quotient ? 'representative' : 'state')}, ${counted(edges.length, 'step')}, level by level from the start${quotient ? '; one state stands for its orbit' : ''}.`,
      broken ? html('span', {}, ' In ', html('span', { class: 'badge bad' }, counted(broken, 'state')), ' something is wrong.') : ''),
    html('div', { class: 'viewer' }, html('div', { class: 'canvas' }, picture, html('div', { class: 'zoom' }, button('+', 'Larger', () => zoom(0.7)), button('−', 'Smaller', () => zoom(1.4)), button('⤢', 'All of it', fit))),
      html('div', { class: 'side' }, title, side)),
    html('p', { class: 'hint' }, 'Drag to move. In the picture: arrow keys go along steps and levels, ', html('kbd', {}, '+'), ' ', html('kbd', {}, '−'), ' ', html('kbd', {}, '0'), ' change its size.'));
  fit();
  choose(Math.max(0, states.findIndex(s => s.v)));
  let size = picture.clientWidth;
  new ResizeObserver(() => { if (Math.abs(picture.clientWidth - size) > 10) { size = picture.clientWidth; fit(); } }).observe(picture);
};
