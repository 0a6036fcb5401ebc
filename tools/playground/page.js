'use strict';
const $ = id => document.getElementById(id);
const expression = $('expression');
const examples = {
  'Dot product and text score': ['bm25(title) + 3 * sum(query(q) * attribute(embedding))',
    ['query(q)', 'tensor<float>(x[3]):[1,0,2]'], ['attribute(embedding)', 'tensor<float>(x[3]):[0.5,1,0.25]'], ['bm25(title)', '1.5']],
  'Late interaction (MaxSim)': ['sum(reduce(sum(query(qt) * attribute(dt), x), max, d), q)',
    ['query(qt)', 'tensor<float>(q{},x[2]):{how:[1,0],far:[0.25,0.75]}'], ['attribute(dt)', 'tensor<float>(d{},x[2]):{0:[0.75,0.5],1:[0,1]}']],
  'Weights of labels': ['sum(query(likes) * attribute(tags))',
    ['query(likes)', 'tensor(tag{}):{jazz:2,live:0.5}'], ['attribute(tags)', 'tensor(tag{}):{jazz:1,vinyl:3}']],
  'Softmax': ['softmax(v, x)', ['v', 'tensor(x[3]):[1,2,3]']],
  'Matrix product': ['matmul(a, b, k)', ['a', 'tensor(i[2],k[2]):[[1,2],[3,4]]'], ['b', 'tensor(k[2],j[2]):[[5,6],[7,8]]']],
  'Filter by a string': ['if(attribute(lang) in ["de", "at"], 2, 1) * attribute(rating)', ['attribute(lang)', '"de"'], ['attribute(rating)', '4.5']],
};

function element(tag, content = '', css = '') {
  const made = document.createElement(tag);
  made.textContent = content;
  made.className = css;
  return made;
}

// Inputs: a row for each.
function addInput(name = '', value = '') {
  const row = element('div', '', 'input');
  const nameBox = element('input'), valueBox = element('input'), remove = element('button', '×');
  nameBox.placeholder = 'name'; nameBox.value = name; nameBox.setAttribute('aria-label', 'name of an input');
  valueBox.placeholder = 'value or type'; valueBox.value = value; valueBox.setAttribute('aria-label', 'value of ' + (name || 'an input'));
  for (const box of [nameBox, valueBox]) { box.spellcheck = false; box.addEventListener('input', () => changed()); }
  remove.type = 'button'; remove.title = 'Remove this input';
  remove.addEventListener('click', () => { row.remove(); changed(); });
  row.append(nameBox, valueBox, remove);
  $('inputs').append(row);
  return name ? valueBox : nameBox;
}
const rows = () => [...$('inputs').children].map(row => [...row.querySelectorAll('input')]);
const inputs = () => rows().map(([name, value]) => [name.value.trim(), value.value]).filter(([name]) => name);

// The link: everything behind the # stays in the browser.
function link() {
  const parts = new URLSearchParams([['e', expression.value]]);
  if ($('dialect').value !== 'core') parts.append('d', $('dialect').value);
  for (const [name, value] of inputs()) { parts.append('n', name); parts.append('v', value); }
  return '#' + parts;
}
function show(text, given, dialect = 'core') {
  expression.value = text;
  $('dialect').value = dialect === 'java' ? 'java' : 'core';
  $('inputs').replaceChildren();
  given.forEach(([name, value]) => addInput(name, value));
  changed(0);
}
function readLink() {
  const parts = new URLSearchParams(location.hash.slice(1));
  const names = parts.getAll('n'), values = parts.getAll('v');
  if (parts.has('e')) show(parts.get('e'), names.map((name, i) => [name, values[i] || '']), parts.get('d') || 'core');
  return parts.has('e');
}

// Places of issues are bytes of UTF-8.
function characters(text, bytes) {
  return new TextDecoder().decode(new TextEncoder().encode(text).slice(0, bytes)).length;
}
function markIssues(issues) {
  const text = expression.value, marks = $('marks');
  marks.replaceChildren();
  let done = 0;
  for (const issue of issues.filter(each => each.source === '').sort((a, b) => a.begin - b.begin)) {
    const begin = characters(text, issue.begin), end = Math.max(begin + 1, characters(text, issue.end));
    if (begin < done) continue;
    marks.append(text.slice(done, begin), element('mark', text.slice(begin, end) || ' ', issue.severity));
    done = end;
  }
  marks.append(text.slice(done), '\n');
  marks.scrollTop = expression.scrollTop;
}
function missingInput(issue) {
  const found = /^unknown (?:symbol|function or feature) '(.*)'$/.exec(issue.message);
  return found && issue.severity === 'error' && !found[1].endsWith('...') ? found[1] : null;
}
function listIssues(issues) {
  $('issues').replaceChildren(...issues.map(issue => {
    const line = element('li'), place = issue.source || issue.line + ':' + issue.column;
    const where = element('button', place, 'where');
    where.type = 'button';
    where.addEventListener('click', () => {
      if (issue.source !== '') return;
      expression.focus();
      expression.setSelectionRange(characters(expression.value, issue.begin), characters(expression.value, issue.end));
    });
    line.append(where, ' ', element('span', issue.message, issue.severity));
    const name = missingInput(issue);
    if (name !== null) {
      const give = element('button', 'give ' + name + ' a value');
      give.type = 'button';
      give.addEventListener('click', () => { const box = addInput(name, '1'); changed(); box.focus(); box.select(); });
      line.append(' ', give);
    }
    if (issue.hint) line.append(element('div', issue.hint, 'hint'));
    return line;
  }));
  for (const [name, value] of rows()) {
    value.classList.toggle('wrong', issues.some(issue => issue.severity === 'error' && issue.source !== '' && issue.source === name.value.trim()));
  }
}

function table(grid) {
  if (grid === null) return element('p', '...');
  const made = element('table');
  if (grid.slice) made.append(element('caption', grid.slice));
  const head = element('tr');
  grid.headings.forEach(each => head.append(element('th', each, 'label')));
  (grid.columns || ['']).forEach(each => head.append(element('th', each === null ? '...' : each)));
  made.append(head);
  for (const row of grid.rows) {
    const line = element('tr');
    if (row === null) {
      line.append(element('th', '...', 'label'));
    } else {
      row.labels.forEach(each => line.append(element('th', each, 'label')));
      row.cells.forEach((cell, i) => line.append(element('td', cell !== null ? cell : grid.columns && grid.columns[i] === null ? '...' : '-')));
    }
    made.append(line);
  }
  return made;
}
function picture(place, svg) {
  place.replaceChildren();
  if (!svg) return;
  const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml');
  if (!parsed.querySelector('parsererror')) place.append(document.importNode(parsed.documentElement, true));
}
function time(us) {
  return us < 1000 ? us + ' µs' : us < 1e6 ? (us / 1000).toPrecision(3) + ' ms' : (us / 1e6).toPrecision(3) + ' s';
}
function showAnswer(answer) {
  const issues = answer.issues || [];
  markIssues(issues);
  listIssues(issues);
  $('failure').hidden = !answer.error;
  $('failure').textContent = answer.error || '';
  $('type').textContent = answer.type || '';
  const tables = answer.tables || [];
  $('tables').replaceChildren(...tables.map(table));
  $('value').textContent = answer.left_out || answer.value || '';
  $('value').className = answer.type === 'double' ? 'number' : '';
  $('times').textContent = ['checked', 'compiled', 'evaluated'].filter(what => answer[what])
    .map(what => what + ' in ' + time(answer[what].us)).join(', ');
  picture($('plan'), answer.plan);
  picture($('graph'), answer.graph);
  $('explain').textContent = answer.explain || '';
  document.body.dataset.state = 'answered';
}

// A moment after the last key, the newest text is sent; answers to older ones are dropped.
let waiting = null, latest = 0;
function changed(delay = 150) {
  document.body.dataset.state = 'waiting';
  markIssues([]);
  clearTimeout(waiting);
  waiting = setTimeout(ask, delay);
}
async function ask() {
  const number = ++latest;
  history.replaceState(null, '', link());
  if (!expression.value.trim()) return showAnswer({});
  let answer;
  try {
    const response = await fetch('/answer', {method: 'POST', headers: {'Content-Type': 'application/json'},
      body: JSON.stringify({expression: expression.value, inputs: Object.fromEntries(inputs()), dialect: $('dialect').value})});
    answer = await response.json();
  } catch (problem) {
    answer = {error: 'the server does not answer: is tenrex playground still running?'};
  }
  if (number === latest) showAnswer(answer);
}

expression.addEventListener('input', () => changed());
expression.addEventListener('scroll', () => { $('marks').scrollTop = expression.scrollTop; });
$('dialect').addEventListener('change', () => changed(0));
$('add').addEventListener('click', () => addInput().focus());
$('link').addEventListener('click', async () => {
  history.replaceState(null, '', link());
  await navigator.clipboard.writeText(location.href);
  $('link').textContent = 'Copied';
  setTimeout(() => { $('link').textContent = 'Copy link'; }, 1500);
});
for (const name of Object.keys(examples)) $('examples').append(element('option', name));
$('examples').addEventListener('change', event => {
  const [text, ...given] = examples[event.target.value] || ['', []];
  if (text) show(text, given);
});
window.addEventListener('hashchange', readLink);
if (!readLink()) {
  const [text, ...given] = Object.values(examples)[0];
  show(text, given);
}
