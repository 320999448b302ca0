// The stepper: a run, the source of the model beside it, and the variables.
const runs = [];
if (report.trace) runs.push({ title: report.violation.message, violation: report.violation, trace: report.trace });
for (const other of report.further || []) runs.push({ title: other.violation.message, violation: other.violation, trace: other.trace });
for (const p of report.properties) if (p.witness) runs.push({ title: `${p.name} holds`, violation: null, trace: p.witness });

let run = null;
let position = 0;
const whoMoves = (process, pid) => pid === null || pid === undefined ? process : `${process}(${pid})`;
const isRule = step => step.process === 'rules' && step.pid === 0;

// Each run has the values at its start: the last ones, with all changes taken back.
const prepareRun = r => {
  const listed = r.trace.last_state;
  const values = new Map((listed ? listed.values : []).map(v => [v.name, v.value]));
  const order = [...values.keys()];
  for (const step of [...r.trace.steps].reverse()) {
    for (const change of [...step.changes].reverse()) {
      if (!order.includes(change.name)) order.push(change.name);
      if (change.from === null || change.from === undefined) values.delete(change.name);
      else values.set(change.name, change.from);
    }
  }
  r.start = values;
  r.order = order;
};
const valuesAt = (r, at) => {
  const values = new Map(r.start);
  for (const step of r.trace.steps.slice(0, at)) {
    for (const change of step.changes) {
      if (change.to !== null && change.to !== undefined) { values.set(change.name, change.to); continue; }
      values.delete(change.name);
      // The variables of a process end with it.
      for (const name of [...values.keys()]) if (name.startsWith(`${change.name}:`)) values.delete(name);
    }
  }
  return values;
};

// Where each process stands: at the statement that it executes next, or where it is left at the end.
const standing = (r, at) => {
  const stands = new Map();
  const put = (process, pid, file, line) => {
    const name = whoMoves(process, pid);
    if (pid !== null && pid !== undefined && !stands.has(name)) stands.set(name, { file, line });
  };
  const steps = r.trace.steps;
  const made = new Set();
  steps.slice(at).forEach(step => {
    put(step.process, step.pid, step.file, step.line);
    if (step.partner) put(step.partner.process, step.partner.pid, step.partner.file, step.partner.line);
    [step.event, ...(step.further_events || [])].forEach(event => { if (event && event.kind === 'spawn') made.add(event.to); });
  });
  for (const p of (r.trace.last_state && r.trace.last_state.processes) || []) put(p.process, p.pid, p.place.file, p.place.line);
  made.forEach(name => stands.delete(name));
  return stands;
};

// Words of all languages, of which a text uses those of its own.
const words = new Set(('active assert atomic bit bool break byte chan d_proctype d_step do else empty enabled end eval fi for full goto hidden if init inline int len ltl mtype nempty never nfull notrace od of pc_value pid printf priority proctype provided run select short show skip timeout trace true false typedef unless unsigned xr xs ' +
  'alias array assume begin boolean clear const cover elsif endalias endexists endfor endforall endfunction endif endprocedure endrecord endrule endruleset endstartstate endswitch endwhile enum error exists forall function invariant isundefined liveness multiset procedure property put record return rule ruleset scalarset startstate switch then to type undefine union var while ' +
  'process mode when may goto local global pointer initially risk transition requires').split(' '));
const coloured = (text, state) => {
  const pieces = [];
  let plain = '';
  const flush = () => { if (plain) { pieces.push(plain); plain = ''; } };
  const piece = (kind, text) => { flush(); pieces.push(html('span', { class: kind }, text)); };
  const token = /\/\*|\/\/|--|"(?:[^"\\]|\\.)*"|#[ \t]*[a-z]+|[A-Za-z_][A-Za-z_0-9]*|[^]/y;
  let at = 0;
  while (at < text.length) {
    if (state.inside) {
      const end = text.indexOf('*/', at);
      const stop = end < 0 ? text.length : end + 2;
      piece('comment', text.slice(at, stop));
      state.inside = end < 0;
      at = stop;
      continue;
    }
    token.lastIndex = at;
    const [found] = token.exec(text);
    if (found === '/*') {
      state.inside = true;
      const end = text.indexOf('*/', at + 2);
      const stop = end < 0 ? text.length : end + 2;
      piece('comment', text.slice(at, stop));
      state.inside = end < 0;
      at = stop;
      continue;
    }
    if (found === '//' || (found === '--' && ['murphi', 'red'].includes(report.model.language))) {
      piece('comment', text.slice(at));
      break;
    }
    if (found[0] === '"' && found.length > 1) piece('string', found);
    else if (words.has(found) || /^#./.test(found)) piece('word', found);
    else plain += found;
    at += found.length;
  }
  flush();
  return pieces;
};

const lines = new Map();
let shownFile = null;
const openFile = path => {
  if (path === shownFile) return true;
  const file = data.sources.find(s => s.path === path);
  if (!file) return false;
  shownFile = path;
  lines.clear();
  const state = { inside: false };
  const all = file.text.replace(/\r\n?/g, '\n').split('\n');
  if (all.length > 1 && all[all.length - 1] === '') all.pop();
  const rows = all.map((text, i) => {
    const tags = html('span', { class: 'tags' });
    const row = html('div', { class: 'line' }, tags, html('span', { class: 'no' }, String(i + 1)), html('span', { class: 'text' }, coloured(text, state)));
    lines.set(i + 1, { row, tags });
    return row;
  });
  byId('source').replaceChildren(html('div', { class: 'lines' }, rows));
  for (const button of byId('files').children) button.setAttribute('aria-pressed', String(button.dataset.path === path));
  return true;
};
const reveal = (line, far) => {
  const found = lines.get(line);
  if (!found) return;
  const box = byId('source');
  const [top, bottom] = [found.row.offsetTop, found.row.offsetTop + found.row.offsetHeight];
  if (far || top < box.scrollTop + 30 || bottom > box.scrollTop + box.clientHeight - 30) box.scrollTop = top - box.clientHeight / 2.5;
};
const clearMarks = () => {
  for (const { row, tags } of lines.values()) {
    row.classList.remove('now', 'wrong', 'asked');
    if (tags.firstChild) tags.replaceChildren();
  }
};
showLine = (file, line) => {
  if (!openFile(file)) return;
  clearMarks();
  const found = lines.get(line);
  if (found) found.row.classList.add('asked');
  byId('run').scrollIntoView({ block: 'start' });
  reveal(line, true);
};

const markSource = () => {
  const steps = run ? run.trace.steps : [];
  const step = steps[position - 1] || null;
  const next = steps[position] || null;
  const atEnd = position === steps.length && run && run.violation && run.violation.place;
  const focus = step || next || (run && run.violation && run.violation.place);
  if (!focus || !openFile(focus.file)) { clearMarks(); return; }
  clearMarks();
  const mark = (place, kind) => {
    const found = place && place.file === shownFile && lines.get(place.line);
    if (found) found.row.classList.add(kind);
  };
  if (step) {
    mark(step, 'now');
    if (step.partner) mark(step.partner, 'now');
  }
  if (atEnd) mark(run.violation.place, 'wrong');
  if (run) {
    for (const [name, place] of standing(run, position)) {
      const found = place.file === shownFile && name !== 'rules(0)' && lines.get(place.line);
      if (found) found.tags.append(html('span', { class: `tag p${colour(name)}`, title: `${name} is here` }, name.replace(/^.*\((\d+)\)$/, '$1')));
    }
  }
  reveal(focus.line, false);
};

// Steps that only lead a process on, and moves of claims, are passed over unless all are wanted. The last one is always shown.
const isShown = at => {
  const step = run.trace.steps[at - 1];
  return !step || at === run.trace.steps.length || byId('bookkeeping').checked || !(step.bookkeeping || step.actor === 'claim');
};
const neighbour = by => {
  let at = position + by;
  while (at > 0 && at < run.trace.steps.length && !isShown(at)) at += by;
  return at;
};

const drawValues = () => {
  const step = run.trace.steps[position - 1];
  let from = position - 1;
  while (from > 0 && !isShown(from)) from--;
  // What all steps since the one that was shown before have changed.
  const changed = new Map();
  for (const c of run.trace.steps.slice(Math.max(from, 0), position).flatMap(s => s.changes)) {
    changed.set(c.name, { name: c.name, from: changed.has(c.name) ? changed.get(c.name).from : c.from, to: c.to });
  }
  for (const [name, c] of changed) if (c.from === c.to) changed.delete(name);
  const values = valuesAt(run, position);
  const rows = run.order.filter(name => values.has(name)).map(name =>
    html('tr', { class: changed.has(name) ? 'changed' : null }, html('td', {}, name), html('td', {}, values.get(name))));
  byId('values').tBodies[0].replaceChildren(...rows);
  const said = [...changed.values()].map(c => html('div', {}, `${c.name}: `,
    c.from === null || c.from === undefined ? html('span', { class: 'muted' }, 'new') : html('del', {}, c.from), ' → ',
    c.to === null || c.to === undefined ? html('span', { class: 'muted' }, 'gone') : html('ins', {}, c.to)));
  for (const t of (step && step.truncated) || []) said.push(html('div', { class: 'muted' }, `${t.name} keeps ${t.kept} of ${t.value}`));
  for (const printed of (step && step.printed) || []) said.push(html('div', { class: 'muted' }, `prints ${printed.trim()}`));
  byId('changes').replaceChildren(...said);
};

const drawSteps = () => {
  const { trace, violation } = run;
  const items = [];
  const note = (text, kind) => items.push(html('li', { class: `note ${kind || ''}` }, text));
  const row = (index, who, what, number, kind) => items.push(html('li', {},
    html('button', { type: 'button', class: kind, 'data-at': index, onclick: () => goTo(index) },
      html('span', { class: 'number' }, number), who ? html('span', { class: 'who' }, who) : null, what ? html('span', { class: 'what' }, what) : null)));
  row(0, 'start', '', '', 'idle');
  trace.steps.forEach((step, i) => {
    if (trace.before_cycle === i) note('from here on it repeats forever');
    if (!isShown(i + 1)) return;
    const name = whoMoves(step.process, step.pid);
    const who = isRule(step) ? '' : html('span', { class: `p${colour(name)}` }, name);
    const what = step.partner ? [step.statement, html('br'), html('span', { class: `p${colour(whoMoves(step.partner.process, step.partner.pid))}` }, `${whoMoves(step.partner.process, step.partner.pid)} `), step.partner.statement] : step.statement;
    row(i + 1, who, what, String(step.number), step.actor === 'claim' ? 'claim' : step.bookkeeping ? 'idle' : '');
  });
  if (trace.before_cycle === trace.steps.length) note('the last state repeats forever');
  if (violation) note(['✗ ', prose(violation.message)], 'end');
  byId('steps').replaceChildren(...items);
};

const listeners = [];
const goTo = at => {
  if (!run) return;
  const steps = run.trace.steps;
  position = Math.max(0, Math.min(steps.length, at));
  byId('slider').value = String(position);
  const step = steps[position - 1];
  const all = steps.length ? steps[steps.length - 1].number : 0;
  byId('position').textContent = position === 0 ? `start, ${counted(all, 'step')}` : `step ${step.number} of ${all}${step.actor === 'claim' ? ' (claim)' : ''}`;
  for (const id of ['first', 'back']) byId(id).disabled = position === 0;
  for (const id of ['forward', 'last']) byId(id).disabled = position === steps.length;
  let current = null;
  for (const button of byId('steps').querySelectorAll('button')) {
    const here = Number(button.dataset.at) <= position;
    button.removeAttribute('aria-current');
    if (here) current = button;
  }
  if (current) {
    current.setAttribute('aria-current', 'step');
    const box = byId('steps');
    const [top, bottom] = [current.offsetTop, current.offsetTop + current.offsetHeight];
    if (top < box.scrollTop || bottom > box.scrollTop + box.clientHeight) box.scrollTop = top - box.clientHeight / 2;
  }
  drawValues();
  markSource();
  for (const listener of listeners) listener(position);
};

const drawWhy = () => {
  const box = byId('why');
  const v = run.violation;
  box.className = v ? 'why' : 'why shows';
  if (!v) {
    box.replaceChildren(html('p', { class: 'message' }, run.title), html('p', { class: 'muted' }, 'This run shows it.'));
    return;
  }
  const values = list => list.length ? html('dl', {}, list.map(x => [html('dt', {}, x.name), html('dd', {}, x.value)])) : null;
  const waiting = (v.waiting || []).map(w => html('li', {}, html('span', { class: `p${colour(whoMoves(w.process, w.pid))}` }, whoMoves(w.process, w.pid)), ' waits at ', placeButton(w.place), ': ',
    w.statements.map((s, i) => [i ? ', ' : '', html('code', {}, s)]), w.allowed ? html('span', { class: 'muted' }, ' (it may stay there)') : null,
    (w.guards || []).map(g => html('div', { class: 'muted' }, html('code', {}, g.statement), ' needs another value: ', g.values.map((x, i) => [i ? ', ' : '', html('code', {}, `${x.name} = ${x.value}`)]),
      g.changed_by.length ? `; changed by ${g.changed_by.join(', ')}` : '; nobody else changes that'))));
  box.replaceChildren(...[
    html('p', { class: 'message' }, '✗ ', prose(v.message)),
    v.place || v.text ? html('p', {}, placeButton(v.place), v.place && v.text ? '  ' : '', v.text ? html('code', {}, v.text) : null) : null,
    (v.parameters || []).length ? values(v.parameters) : null,
    values(v.values),
    waiting.length ? html('ul', { class: 'plain' }, waiting) : null,
    ...(v.notes || []).map(text => html('p', {}, prose(text))),
  ].filter(Boolean));
};

const chooseRun = index => {
  run = runs[index];
  if (!run.start) prepareRun(run);
  drawWhy();
  drawSteps();
  byId('slider').max = String(run.trace.steps.length);
  drawChart(index);
  goTo(run.trace.steps.length);
};

const startRun = () => {
  fill(byId('files'), {}, data.sources.length > 1 ? data.sources.map(s =>
    html('button', { type: 'button', 'data-path': s.path, 'aria-pressed': 'false', onclick: () => { openFile(s.path); clearMarks(); } }, s.path.split('/').pop())) : []);
  if (!runs.length) {
    // Without a run there is still the model to read.
    byId('run-title').textContent = 'Model';
    for (const selector of ['.stepper', '.steps-pane', '.values-pane', '.hint', '#why']) document.querySelector(`#run ${selector}`).hidden = true;
    document.querySelector('.panes').style.gridTemplateColumns = 'minmax(0, 1fr)';
    byId('source').classList.add('bare');
    if (data.sources.length) openFile(data.sources[0].path);
    show('run', data.sources.length > 0);
    show('chart', false);
    return;
  }
  if (runs.length > 1) {
    fill(byId('run-choice'), {}, [html('label', {}, 'Run: ', html('select', { onchange: event => chooseRun(Number(event.target.value)) },
      runs.map((r, i) => html('option', { value: i }, cut(`${r.violation ? r.violation.property : r.trace.property}: ${r.title}`, 90)))))]);
  }
  const move = by => goTo(neighbour(by));
  byId('first').onclick = () => goTo(0);
  byId('back').onclick = () => move(-1);
  byId('forward').onclick = () => move(1);
  byId('last').onclick = () => goTo(run.trace.steps.length);
  byId('slider').oninput = event => goTo(Number(event.target.value));
  byId('bookkeeping').onchange = () => { drawSteps(); goTo(position); };
  document.addEventListener('keydown', event => {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && event.target.type !== 'checkbox';
    if (event.ctrlKey || event.metaKey || event.altKey || typing || event.target.closest('.viewer')) return;
    const keys = { ArrowRight: () => move(1), ArrowLeft: () => move(-1), Home: () => goTo(0), End: () => goTo(run.trace.steps.length) };
    if (keys[event.key]) { keys[event.key](); event.preventDefault(); }
  });
  if (!runs.some(r => r.trace.steps.some(s => s.bookkeeping || s.actor === 'claim'))) document.querySelector('.option').hidden = true;
  chooseRun(0);
};
