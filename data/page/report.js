(() => {
'use strict';
const tip = document.getElementById('tip');

/* The data of plots: the title of each becomes its label, so that the browser
   shows no second tooltip. Arrows move within a plot. */
const show = datum => {
	const box = datum.getBoundingClientRect();
	tip.textContent = datum.getAttribute('aria-label');
	tip.style.display = 'block';
	const right = innerWidth - tip.offsetWidth - 8;
	const below = innerHeight - tip.offsetHeight - 8;
	tip.style.left = Math.max(0, Math.min(box.right + 8, right)) + 'px';
	tip.style.top = Math.max(0, Math.min(box.top + 8, below)) + 'px';
};
const hide = () => { tip.style.display = 'none'; };
/* Where the pointer leaves, the datum that the keyboard is at is shown again. */
const leave = () => {
	const at = document.activeElement;
	if (at && at.classList.contains('datum'))
		show(at);
	else
		hide();
};
for (const svg of document.querySelectorAll('svg')) {
	const data = [...svg.querySelectorAll('.datum')];
	data.forEach((datum, i) => {
		const title = datum.querySelector('title');
		datum.setAttribute('aria-label', title.textContent);
		title.remove();
		datum.addEventListener('pointerenter', () => show(datum));
		datum.addEventListener('pointerleave', leave);
		datum.addEventListener('focus', () => show(datum));
		datum.addEventListener('blur', hide);
		datum.addEventListener('keydown', event => {
			const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1,
				ArrowUp: -1, Home: -i, End: data.length - 1 - i };
			const to = data[i + step[event.key]];
			if (event.key === 'Escape')
				hide();
			if (!to)
				return;
			event.preventDefault();
			datum.setAttribute('tabindex', -1);
			to.setAttribute('tabindex', 0);
			to.focus();
		});
	});
}

/* On paper nothing is folded. */
addEventListener('beforeprint', () => {
	for (const part of document.querySelectorAll('details'))
		part.open = true;
});

/* A field above each table with class "filtered": rows that hold all its words
   stay. A list of the verdicts stands beside the field. */
const make = (name, parent, text) => {
	const made = document.createElement(name);
	made.textContent = text || '';
	parent.append(made);
	return made;
};
for (const table of document.querySelectorAll('table.filtered')) {
	const rows = [...table.tBodies[0].rows];
	const bar = document.createElement('div');
	const words = make('input', make('label', bar, 'Filter: '));
	const state = [...table.tHead.rows[table.tHead.rows.length - 1].cells]
		.findIndex(cell => ['verdict', 'state', 'class'].includes(
			cell.textContent));
	const value = row => row.cells[state].textContent;
	const list = state < 0 ? null :
		make('select', make('label', bar, table.tHead.rows[
			table.tHead.rows.length - 1].cells[state].textContent +
			': '));
	const said = make('span', bar);
	const text = rows.map(row => row.textContent.toLowerCase());
	const apply = () => {
		const wanted = words.value.toLowerCase().split(/\s+/);
		let shown = 0;
		rows.forEach((row, i) => {
			row.hidden = !wanted.every(w => text[i].includes(w)) ||
				!!list && !!list.value && value(row) !== list.value;
			shown += !row.hidden;
		});
		said.textContent = shown + ' of ' + rows.length + ' rows';
	};
	bar.className = 'filter';
	words.type = 'search';
	said.setAttribute('role', 'status');
	if (list) {
		make('option', list, 'all').value = '';
		for (const one of new Set(rows.map(value)))
			make('option', list, one).value = one;
		list.addEventListener('input', apply);
	}
	words.addEventListener('input', apply);
	table.parentNode.before(bar);
	apply();
}
})();
