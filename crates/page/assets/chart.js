// The message sequence chart: time goes down, an arrow begins where its message is sent.
const drawChart = index => {
  const chart = data.charts[index];
  const talks = chart && chart.rows.some(row => row.kind !== 'local');
  const several = chart && chart.lanes.length > 1;
  show('chart', Boolean(chart && chart.rows.length && (talks || several)));
  byId('chart-title').textContent = talks ? 'Who sends what to whom' : 'Who does what';
  if (byId('chart').hidden) { drawNav(); return; }
  const letter = 7;
  const across = byId('chart-body').clientWidth - 14;
  const narrow = across < 600;
  const [left, top, high] = [narrow ? 38 : 54, 52, 30];
  const told = row => row.kind === 'send' && row.fate === 'unread' ? `${row.text} (never received)` : row.kind === 'send' && row.fate === 'lost' ? `${row.text} (lost)` : row.kind === 'inspect' ? `reads ${row.text}` : row.text;
  const longest = Math.max(...chart.lanes.map(l => l.name.length), ...chart.rows.map(r => Math.min(told(r).length, 46)));
  const room = (across - left - 24) / chart.lanes.length;
  // On a narrow screen the lanes stand close together, so that as many as possible are seen at once.
  const distance = narrow ? Math.max(76, room) : Math.max(110, Math.min(longest * letter + 44, Math.max(250, Math.min(room, 380))));
  const x = lane => left + distance / 2 + lane * distance;
  // Where the run begins to repeat itself there is a strip for saying so.
  const strip = row => chart.repeats_from !== null && row >= chart.repeats_from ? 18 : 0;
  const y = row => top + row * high + high / 2 + strip(row);
  const width = left + chart.lanes.length * distance + (narrow ? 8 : distance / 2);
  const height = top + chart.rows.length * high + 12 + strip(Infinity);
  const lost = kind => kind === 'unread' || kind === 'lost';

  const lanes = chart.lanes.map((lane, i) => {
    const from = lane.begins === null ? 34 : y(lane.begins);
    const to = lane.ends === null ? height - 10 : y(lane.ends);
    return [svg('line', { class: 'lane', x1: x(i), x2: x(i), y1: from, y2: to }),
      svg('text', { class: `lane-name p${colour(lane.name)}`, x: x(i), y: 24, fill: 'currentColor' }, cut(lane.name, Math.floor(distance / letter)), svg('title', {}, lane.name))];
  });
  const head = (px, py, right) => svg('path', { class: 'head', d: right ? `M${px},${py} l-9,-4.5 v9 z` : `M${px},${py} l9,-4.5 v9 z` });
  const says = (px, py, text, anchor, room) => svg('text', { class: 'says', x: px, y: py, 'text-anchor': anchor }, cut(text, Math.max(6, Math.floor(room / 7.3))), svg('title', {}, text));
  const arrow = (fromX, fromY, toX, toY, kind) => {
    if (fromX === toX) {
      return [svg('path', { class: `arrow ${kind}`, d: `M${fromX},${fromY} C${fromX + 46},${fromY} ${fromX + 46},${toY} ${toX + 2},${toY}` }), head(toX + 1, toY, false)];
    }
    const right = toX > fromX;
    return [svg('path', { class: `arrow ${kind}`, d: `M${fromX},${fromY} L${toX},${toY}` }), svg('g', { transform: `rotate(${Math.atan2(toY - fromY, toX - fromX) * 180 / Math.PI} ${toX} ${toY})` }, head(toX, toY, true)), right ? null : null];
  };
  const box = (row, at) => {
    const from = Math.min(...row.lanes);
    const to = Math.max(...row.lanes);
    const room = (to - from) * distance + distance - 12;
    const shown = cut(row.text, Math.floor((room - 10) / 7.3));
    const wide = Math.min(room, Math.max(shown.length * 7.4 + 14, (to - from) * distance + 24));
    const middle = (x(from) + x(to)) / 2;
    return [svg('rect', { class: 'box', x: middle - wide / 2, y: at - 11, width: wide, height: 22, rx: 5 }),
      svg('text', { x: middle, y: at + 4, 'text-anchor': 'middle', style: 'font-family:var(--mono)' }, shown, svg('title', {}, row.text))];
  };
  const drawn = (row, i) => {
    const at = y(i);
    switch (row.kind) {
      case 'send': {
        // Beside the arrow, or on the other side if only there is enough room.
        const needed = told(row).length * 7.3 + 8;
        const along = row.to === undefined || row.to >= row.from;
        const [before, behind] = [x(row.from) - left, width - x(row.from)];
        const right = along ? behind >= needed || behind >= before : before < needed && behind > before;
        const side = right ? 8 : -8;
        const short = lost(row.fate) ? svg('path', { class: 'arrow lost', d: `M${x(row.from)},${at} h24` }) : null;
        return [svg('circle', { class: `dot ${lost(row.fate) ? 'lost' : ''}`, cx: x(row.from), cy: at, r: 4 }), short,
          says(x(row.from) + side, at - 6, told(row), right ? 'start' : 'end', (right ? behind : before) - 8)];
      }
      case 'receive': return arrow(x(row.from), y(row.sent), x(row.to), at, '');
      case 'lose': return [arrow(x(row.from), y(row.sent), x(row.to), at, 'lost'), says(x(row.to) + 8, at - 5, `lost: ${row.text}`, 'start', width - x(row.to) - 12)];
      case 'inspect': return [svg('circle', { class: 'dot', cx: x(row.to), cy: at, r: 3 }), says(x(row.to) + 8, at + 4, told(row), 'start', width - x(row.to) - 12)];
      case 'rendezvous': return [arrow(x(row.from), at, x(row.to), at, ''), says((x(row.from) + x(row.to)) / 2, at - 5, row.text, 'middle', Math.max(Math.abs(x(row.to) - x(row.from)) - 20, 60))];
      case 'spawn': return [arrow(x(row.from), at, x(row.to), at, 'spawn'), says((x(row.from) + x(row.to)) / 2, at - 5, 'run', 'middle', distance)];
      case 'end': return [svg('path', { class: 'arrow', d: `M${x(row.from) - 6},${at - 6} l12,12 m0,-12 l-12,12` }), says(x(row.from) + 10, at + 4, 'ends', 'start', 60)];
      default: return row.lanes.length ? box(row, at) : box({ ...row, lanes: chart.lanes.map((_, lane) => lane) }, at);
    }
  };
  const line = (row, text) => svg('g', { class: 'repeats' }, svg('line', { x1: 8, x2: width - 8, y1: top + row * high + 2, y2: top + row * high + 2 }),
    svg('text', { x: left - 14, y: top + row * high + 15 }, text));
  const rows = chart.rows.map((row, i) => svg('g', { class: 'chart-row', 'data-step': row.step, onclick: () => goTo(row.step + 1) },
    svg('rect', { class: 'hit', x: 2, y: y(i) - high / 2, width: width - 4, height: high, rx: 4 }), svg('text', { class: 'count', x: left - 14, y: y(i) + 4 }, row.number)));
  // Texts come last, so that no arrow goes through them.
  const all = chart.rows.map((row, i) => drawn(row, i)).flat(9).filter(Boolean);
  const isText = part => part.classList.contains('says');
  const above = [...all.filter(part => !isText(part)), ...all.filter(isText)];
  const outcome = chart.outcome ? html('p', { class: 'outcome' }, `✗ ${chart.outcome.text.replace(/`/g, '')}`) : null;
  byId('chart-body').replaceChildren(...[svg('svg', { width, height, role: 'img', 'aria-label': `${counted(chart.rows.length, 'event')} of ${chart.lanes.map(l => l.name).join(', ')}` },
    rows, lanes,
    chart.repeats_from !== null && chart.repeats_from < chart.rows.length ? line(chart.repeats_from, 'from here on it repeats forever') : null,
    chart.repeats_from === chart.rows.length ? line(chart.rows.length, 'the last state repeats forever') : null,
    svg('g', { 'pointer-events': 'none' }, above)), outcome].filter(Boolean));
  drawNav();
};
listeners.push(at => {
  let now = null;
  for (const row of byId('chart-body').querySelectorAll('.chart-row')) {
    const here = Number(row.dataset.step) === at - 1;
    row.classList.toggle('now', here);
    if (here && !now) now = row;
  }
  const box = byId('chart-body');
  if (!now || !box.clientHeight) return;
  const top = Number(now.querySelector('.hit').getAttribute('y'));
  if (top < box.scrollTop + 40 || top > box.scrollTop + box.clientHeight - 60) box.scrollTop = top - box.clientHeight / 2;
});
