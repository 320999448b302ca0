// Puts the page together.
const drawNav = () => {
  const parts = [['summary', 'Verdict'], ['run', runs.length ? 'Run' : 'Model'], ['chart', 'Chart'], ['symmetry', 'Symmetry'], ['states', 'States'], ['statistics', 'Statistics']];
  byId('nav').replaceChildren(...parts.filter(([id]) => !byId(id).hidden).map(([id, name]) => html('a', { href: `#${id}` }, name)));
};
for (const element of document.querySelectorAll('.top, main, footer')) element.hidden = false;
const themes = ['', 'light', 'dark'];
byId('theme').onclick = () => {
  const root = document.documentElement;
  const next = themes[(themes.indexOf(root.dataset.theme || '') + 1) % themes.length];
  if (next) root.dataset.theme = next; else delete root.dataset.theme;
  byId('theme').title = `Colours: ${next || 'as the system has them'}`;
};
byId('theme').title = 'Colours: as the system has them';
drawSummary();
startRun();
if (isAboutEverySize()) byId('symmetry').hidden = true; else drawSymmetry();
drawStates();
drawStatistics();
drawNav();
