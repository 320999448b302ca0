// The verdict, what it covers, and the numbers.
const kinds = {
  safety: 'assertions, deadlock, run-time errors', never: 'never claim', ltl: 'LTL formula', invariant: 'invariant', cover: 'cover',
  reachable: 'liveness', ctl: 'CTL formula', 'non-progress': 'no non-progress cycle', accept: 'no accepting infinite runs',
};

const drawSummary = () => {
  byId('badge').className = `badge ${verdictClass[report.verdict]}`;
  byId('badge').textContent = `${verdictMark[report.verdict]} ${report.verdict}`;
  const what = report.violation ? report.violation.message
    : report.verdict === 'holds' ? `${counted(report.properties.length, 'property holds', 'properties hold')}`
    : report.coverage.reason || 'not decided';
  byId('headline').replaceChildren(...prose(what));
  byId('headline').title = what;
  const defines = (report.model.defines || []).map(d => ` -D ${d}`).join('');
  byId('subtitle').textContent = `${report.model.path}${defines} · ${report.model.language}`;
  byId('footer').textContent = `${report.tool.name} ${report.tool.version} · ${report.model.path} · digest ${report.model.digest || 'unknown'}`;

  const reasons = report.properties.some(p => p.reason);
  const rows = report.properties.map(p => html('tr', {},
    html('td', {}, html('span', { class: `badge ${verdictClass[p.verdict]}` }, `${verdictMark[p.verdict]} ${p.verdict}`)),
    html('td', {}, html('code', {}, p.name), p.instances ? html('span', { class: 'muted' }, ` (${counted(p.instances, 'instance')})`) : null),
    html('td', { class: 'muted' }, kinds[p.kind] || p.kind),
    html('td', { class: 'number' }, p.stats ? number(p.stats.states) : ''),
    reasons ? html('td', { class: 'reason' }, prose(p.reason || '')) : null));
  const table = html('div', { class: 'card scrolls' }, html('table', { class: 'grid properties' },
    html('thead', {}, html('tr', {}, html('th', {}, 'Verdict'), html('th', {}, 'Property'), html('th', {}, 'Kind'), html('th', { class: 'number' }, 'States'), reasons ? html('th', {}, 'Why') : null)),
    html('tbody', {}, rows)));

  const covered = [];
  const searched = report.stats.states > 0;
  if ((searched || report.coverage.reason) && !isAboutEverySize()) {
    covered.push(html('p', {}, report.coverage.complete ? 'Every reachable state was visited.' : `Not every reachable state was visited: ${report.coverage.reason || 'no reason is given'}.`));
  }
  if ((report.not_selected || []).length) covered.push(html('p', {}, 'Not checked: ', report.not_selected.map((n, i) => [i ? ', ' : '', html('code', {}, n.name)]), '.'));
  if (report.threads) {
    const t = report.threads;
    covered.push(html('p', {}, t.at_most ? `For at most ${counted(t.at_most, 'thread')}.` : 'For every number of threads.'));
  }
  if (report.every) covered.push(...everySize(report.every));
  for (const warning of report.warnings) covered.push(html('p', { class: 'muted' }, 'Note: ', prose(warning)));
  if (report.unreached.length) {
    covered.push(html('details', {}, html('summary', {}, `${counted(report.unreached.length, 'statement')} never reached`),
      html('ul', { class: 'plain' }, report.unreached.map(u => html('li', {}, `${u.process} `, placeButton(u), ' ', html('code', {}, u.statement))))));
  }
  fill(byId('summary-body'), {}, [table, covered.length ? html('div', { class: 'card' }, covered) : null]);
};

// Whether the report is about every size of a family, and not about the states of one size.
const isAboutEverySize = () => report.every !== undefined && report.every.answer !== 'violated';

// Every size of a family: the answer, and the sizes that were searched as a table and a plot.
const everySize = every => {
  const family = every.family ? ['the size of ', html('code', {}, every.family)] : [html('code', {}, every.constant)];
  const told = {
    violated: ['Violated with ', html('code', {}, `${every.constant}=${every.smallest}`), ', and with no smaller number.'],
    holds: [`Holds for every number: ${counted(every.views, 'view')} of ${counted(every.k, 'member')}.`],
    refused: ['Refused for every number: ', ...prose(every.refused ? every.refused.message : ''), '.'],
    unknown: ['Not decided for every number.'],
  }[every.answer];
  const parts = [html('p', {}, html('b', {}, `Every ${every.constant}`), ' (', family, '): ', told)];
  if (every.searched.length) parts.push(saturation(every));
  return parts;
};

// What more members bring, for each size that was searched.
const saturation = every => {
  const advice = every.answer === 'refused';
  const columns = [['orbits', s => s.states], ['views of two members', s => s.views], ['statements executed', s => s.executed]]
    .filter(([, of]) => every.searched.some(s => of(s) !== undefined));
  const head = html('tr', {}, html('th', { class: 'number' }, every.constant), columns.map(([name]) => html('th', { class: 'number' }, name)));
  const rows = every.searched.map(s => html('tr', {}, html('td', { class: 'number' }, number(s.size)),
    columns.map(([, of]) => html('td', { class: 'number' }, of(s) === undefined ? '' : number(of(s))))));
  return html('div', { class: 'saturation' },
    html('p', { class: 'muted' }, advice ? 'No violation with these sizes. This is advice and no proof: numbers that stop growing suggest that more members bring nothing new.' : 'Sizes that were searched state by state:'),
    html('div', { class: 'scrolls' }, html('table', { class: 'grid' }, html('thead', {}, head), html('tbody', {}, rows))),
    advice && every.searched.length > 1 ? html('div', { class: 'plots' }, columns.map(([name, of]) => growth(every, name, of))) : null);
};

// One number for each size, as a line with points. Advice: it proves nothing for other sizes.
const growth = (every, name, of) => {
  const points = every.searched.filter(s => of(s) !== undefined).map(s => ({ size: s.size, value: of(s) }));
  if (points.length < 2) return null;
  const [width, height, left, bottom, top] = [280, 150, 52, 24, 12];
  const highest = Math.max(1, ...points.map(p => p.value));
  const x = i => left + 12 + i * (width - left - 28) / (points.length - 1);
  const y = n => top + (height - top - bottom) * (1 - n / highest);
  const summary = `${name}: ${points.map(p => `${number(p.value)} with ${every.constant}=${p.size}`).join(', ')}`;
  return html('div', {}, html('h3', {}, name),
    svg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': summary, class: 'growth' },
      [0, 1].map(part => [svg('line', { class: 'axis', x1: left, x2: width, y1: y(highest * part), y2: y(highest * part) }),
        svg('text', { x: left - 6, y: y(highest * part) + 4, 'text-anchor': 'end' }, number(highest * part))]),
      svg('polyline', { class: 'growth-line', points: points.map((p, i) => `${x(i)},${y(p.value)}`).join(' ') }),
      points.map((p, i) => [svg('circle', { class: 'growth-point', cx: x(i), cy: y(p.value), r: 3.5 }, svg('title', {}, `${every.constant}=${p.size}: ${number(p.value)}`)),
        svg('text', { x: x(i), y: height - 6, 'text-anchor': 'middle' }, String(p.size))])));
};

const fact = (name, value) => value === undefined || value === null || value === '' ? null : html('div', {}, html('dt', {}, name), html('dd', {}, value));

const drawStatistics = () => {
  const s = report.stats;
  const facts = html('dl', { class: 'facts' },
    fact('States', number(s.states)), fact('Transitions', number(s.transitions)),
    s.fired !== null && s.fired !== undefined && s.fired !== s.transitions ? fact('Moves made', number(s.fired)) : null,
    fact('Depth', number(s.depth)), fact('Time', duration(s.seconds)), fact('Memory', s.peak_bytes ? bytes(s.peak_bytes) : null),
    fact('Bytes a state', s.bytes_per_state ? s.bytes_per_state.toFixed(1) : null),
    fact('States a second', s.seconds >= 0.1 ? number(Math.round(s.states_per_second)) : null),
    fact('Successors a state', s.branching ? s.branching.toFixed(1) : null),
    s.diagrams ? fact('Nodes of diagrams', number(s.diagrams.nodes)) : null,
    fact('Engine', report.search.engine), fact('Order', report.search.order), fact('Workers', number(report.search.workers)),
    fact('Partial order', report.reduction.partial_order), fact('Simplified', report.reduction.static));
  const measured = report.properties.find(p => (p.levels || []).length > 1);
  fill(byId('statistics-body'), {}, [html('div', { class: 'card' }, facts), html('div', { class: 'plots' },
    measured ? levels(measured) : null, timeSplit(s))]);
};

// States of each level: a bar for each, or for several together where there are many.
const levels = property => {
  const most = 120;
  const together = Math.ceil(property.levels.length / most);
  const bars = [];
  for (let at = 0; at < property.levels.length; at += together) {
    const part = property.levels.slice(at, at + together);
    bars.push({ from: at, to: at + part.length - 1, states: Math.max(...part) });
  }
  const [width, height, left, bottom, top] = [window.innerWidth < 720 ? 340 : 560, 190, 46, 24, 10];
  const highest = Math.max(...bars.map(b => b.states));
  const step = (width - left - 6) / bars.length;
  const y = n => top + (height - top - bottom) * (1 - n / highest);
  const peak = property.levels.indexOf(Math.max(...property.levels));
  const summary = `${counted(property.levels.length, 'level')}; the largest is level ${peak} with ${counted(property.levels[peak], 'state')}`;
  return html('div', { class: 'card' }, html('h3', {}, 'States on each level'),
    svg('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': summary },
      [0, 0.5, 1].map(part => [svg('line', { class: 'axis', x1: left, x2: width, y1: y(highest * part), y2: y(highest * part) }),
        part === 0.5 && highest < 2 ? null : svg('text', { x: left - 6, y: y(highest * part) + 4, 'text-anchor': 'end' }, number(Math.round(highest * part)))]),
      bars.map((b, i) => svg('rect', { class: 'bar', x: left + i * step + step * 0.08, y: y(b.states), width: Math.max(step * 0.84, 0.5), height: height - bottom - y(b.states) },
        svg('title', {}, b.from === b.to ? `level ${b.from}: ${counted(b.states, 'state')}` : `levels ${b.from} to ${b.to}: at most ${counted(b.states, 'state')} each`))),
      svg('text', { x: left, y: height - 6 }, '0'),
      svg('text', { x: width - 4, y: height - 6, 'text-anchor': 'end' }, String(property.levels.length - 1)),
      svg('text', { x: (left + width) / 2, y: height - 6, 'text-anchor': 'middle' }, 'steps from the start')),
    html('p', { class: 'muted' }, summary, '.'));
};

const timeSplit = s => {
  if (!s.split || !(s.seconds > 0)) {
    return html('div', { class: 'card' }, html('h3', {}, 'Where the time went'), html('p', { class: 'muted' }, `The search took ${duration(s.seconds)}: too short to say where the time went.`));
  }
  const own = [['finding successors', s.split.expand], ['finding representatives', s.split.canonicalise], ['looking up and storing', s.split.store]];
  const parts = [...own, ['other', Math.max(0, s.seconds - own.reduce((sum, [, t]) => sum + t, 0))]].filter(([, t]) => t > 0.005 * s.seconds);
  const share = t => 100 * t / parts.reduce((sum, [, u]) => sum + u, 0);
  return html('div', { class: 'card' }, html('h3', {}, 'Where the time went'),
    html('div', { class: 'split', role: 'img', 'aria-label': parts.map(([name, t]) => `${name} ${Math.round(share(t))} %`).join(', ') },
      parts.map(([name, t], i) => html('span', { class: `b${name === 'other' ? 3 : i}`, style: `flex:${share(t)}`, title: name }))),
    html('div', { class: 'legend' }, parts.map(([name, t], i) => [html('i', { class: `b${name === 'other' ? 3 : i}` }), html('span', {}, name), html('span', {}, `${Math.round(share(t))} %`)])));
};
