// The group as a picture: what moves together is a card, an orbit a row, a generator arrows.
const drawSymmetry = () => {
  const s = report.symmetry;
  const body = byId('symmetry-body');
  const none = s.order === '1';
  const facts = html('dl', { class: 'facts' }, fact('Group', none ? 'nothing can be exchanged' : s.structure), fact('Order', number(s.order)), fact('Where from', s.source),
    fact('Strategy', s.strategy), fact('Representatives', none ? null : s.exact ? 'one for each orbit' : 'perhaps several for an orbit'));
  const card = html('div', { class: 'card' }, facts);
  if (s.note) card.append(html('p', {}, prose(`${s.note[0].toUpperCase()}${s.note.slice(1)}.`)));
  const others = [];
  for (const d of s.domains) {
    const members = d.members.length > 12 ? `${d.members.slice(0, 8).join(', ')}, … ${d.members[d.members.length - 1]}` : d.members.join(', ');
    others.push(html('li', {}, html('strong', {}, d.name), ` (${d.kind}, ${d.source}${d.full ? '' : ', not in all ways'}): `, html('code', {}, members),
      d.settled.length ? html('span', { class: 'muted' }, ` once ${d.settled.map(x => x.line ? `${x.process} has come to line ${x.line}` : `${x.process} has ended`).join(', ')}`) : null));
  }
  if (others.length) card.append(html('p', { class: 'muted' }, 'Interchangeable:'), html('ul', { class: 'plain' }, others));
  const refused = s.refused || [];
  if (refused.length) {
    card.append(html('p', { class: 'muted' }, 'Not interchangeable:'), html('ul', { class: 'plain' }, refused.map(r =>
      html('li', {}, html('strong', {}, r.what), ': ', prose(r.reason), ' ', placeButton(r.file ? r : null), r.decided ? null : html('span', { class: 'muted' }, ' (not decided within the budget)')))));
  }
  fill(body, {}, [card]);
  const group = data.group;
  if (!group || none) {
    if (!none) body.append(html('div', { class: 'card' }, html('h3', {}, 'Generators'), s.generators.map(g => html('p', {}, html('code', {}, g)))));
    return;
  }
  const picture = html('div', { class: 'picture' });
  const buttons = group.cycles.map((text, i) => html('button', { type: 'button', 'aria-pressed': String(i === 0), onclick: () => {
    buttons.forEach((b, j) => b.setAttribute('aria-pressed', String(i === j)));
    drawMoves(picture, group, i);
  } }, cut(text, 400)));
  body.append(html('div', { class: 'card' }, html('h3', {}, 'What moves together, each orbit in a row'), picture,
    html('h3', {}, 'Generators: choose one to see where it takes everything'), html('div', { class: 'generators' }, buttons)));
  drawMoves(picture, group, 0);
  let width = picture.clientWidth;
  new ResizeObserver(() => {
    if (Math.abs(picture.clientWidth - width) < 20) return;
    width = picture.clientWidth;
    drawMoves(picture, group, buttons.findIndex(b => b.getAttribute('aria-pressed') === 'true'));
  }).observe(picture);
};

const drawMoves = (picture, group, generator) => {
  const images = group.generators[generator];
  const most = 4;
  const texts = bundle => bundle.map(point => group.points[point]);
  const longest = Math.max(...group.rows.flat(2).map(point => group.points[point].length));
  const wide = Math.max(66, Math.min(170, longest * 7.2 + 22));
  const gap = 22;
  const room = Math.max(280, picture.clientWidth - 4);
  const columns = Math.max(1, Math.floor((room + gap) / (wide + gap)));
  const cards = [];
  let y = 34;
  group.rows.forEach((row, number) => {
    const more = Math.max(...row.map(bundle => Math.min(bundle.length, most + 1)));
    const high = 26 + (more - 1) * 15;
    row.forEach((bundle, i) => {
      const line = Math.floor(i / columns);
      cards.push({ bundle, row: number, x: (i % columns) * (wide + gap) + 2, y: y + line * (high + 40), high });
    });
    y += Math.ceil(row.length / columns) * (high + 40) + 6;
  });
  const at = new Map();
  cards.forEach(card => card.bundle.forEach(point => at.set(point, card)));
  const moves = cards.map(card => ({ from: card, to: at.get(images[card.bundle[0]]) }));
  const arrows = moves.filter(m => m.from !== m.to).map(({ from, to }) => {
    const [x1, x2] = [from.x + wide / 2, to.x + wide / 2];
    const right = x2 > x1 || (x1 === x2 && to.y > from.y);
    // One way above, the other way below.
    const [start, end] = right ? [from.y, to.y] : [from.y + from.high, to.y + to.high];
    const bend = (right ? -1 : 1) * (16 + Math.min(14, Math.abs(x2 - x1) / 18));
    const shift = right ? 7 : -7;
    const tip = right ? `M${x2 - shift},${end} l-4.5,-8 h9 z` : `M${x2 - shift},${end} l-4.5,8 h9 z`;
    return svg('g', { class: `p${from.row % 6}` }, svg('path', { class: 'move', d: `M${x1 + shift},${start} C${x1 + shift},${start + bend} ${x2 - shift},${end + bend} ${x2 - shift},${end + (right ? -6 : 6)}` }), svg('path', { class: 'move-head', d: tip }));
  });
  const boxes = cards.map((card, i) => {
    const names = texts(card.bundle);
    const shown = names.length > most + 1 ? [...names.slice(0, most), `and ${names.length - most} more`] : names;
    return svg('g', { class: `bundle p${card.row % 6} ${moves[i].from === moves[i].to ? 'still' : ''}` }, svg('title', {}, names.join(', ')),
      svg('rect', { x: card.x, y: card.y, width: wide, height: card.high, rx: 7 }),
      shown.map((name, j) => svg('text', { class: j ? 'more' : 'main', x: card.x + wide / 2, y: card.y + 17 + j * 15, 'text-anchor': 'middle' }, cut(name, Math.floor((wide - 8) / 6.6)))));
  });
  const width = Math.max(...cards.map(card => card.x + wide)) + 4;
  picture.replaceChildren(svg('svg', { width, height: y, role: 'img', 'aria-label': `generator ${generator + 1}: ${group.cycles[generator]}` }, boxes, arrows));
};
