// SPDX-License-Identifier: MIT
/*
 * Opens reports in Chromium and looks at them as people do: light, dark, on a
 * phone, without JavaScript, with a pointer, with a keyboard.
 *
 *	node check.cjs MODULES SPEC.json
 *
 * SPEC: [{ file, words: [texts of the page], data: [rows of assay plot -j],
 * filter: a word, or null }]. Prints TAP.
 */
'use strict';
const fs = require('fs');
const path = require('path');
const { pathToFileURL } = require('url');

const [modules, specFile] = process.argv.slice(2);
const { chromium } = require(path.join(modules, 'playwright-core'));
const axe = fs.readFileSync(path.join(modules, 'axe-core', 'axe.min.js'),
	'utf8');
const specs = JSON.parse(fs.readFileSync(specFile, 'utf8'));
const root = process.getuid() === 0 ? ['--no-sandbox'] : [];
let number = 0;

const tell = (name, wrong) => {
	number++;
	console.log(`${wrong.length ? 'not ok' : 'ok'} ${number} - ${name}`);
	for (const line of wrong)
		console.log('# ' + String(line).replace(/\n/g, ' | '));
};

/* A page, and all that it does wrong by itself. */
const open = async (browser, spec, options) => {
	const context = await browser.newContext({
		viewport: { width: 1000, height: 900 }, ...options });
	const page = await context.newPage();
	const wrong = [];
	page.on('pageerror', e => wrong.push('error: ' + e.message));
	page.on('console', m => wrong.push('console: ' + m.text()));
	page.on('dialog', d => { wrong.push('dialog: ' + d.message());
		d.dismiss(); });
	page.on('request', r => r.url().startsWith('file:') ||
		wrong.push('request: ' + r.url()));
	await page.goto(pathToFileURL(spec.file).href);
	return { page, wrong, close: () => context.close() };
};

const says = (text, word) => text.toLowerCase().includes(word.toLowerCase());

const tip = page => page.evaluate(() => {
	const tip = document.getElementById('tip');
	return tip.style.display === 'block' ? tip.textContent : '';
});

const accessible = async (page, when) => {
	await page.evaluate(axe);
	const found = await page.evaluate(() => axe.run());
	return found.violations.map(v => `${when}: ${v.id} (${v.impact}) x` +
		v.nodes.length + ': ' + v.nodes[0].html.slice(0, 200));
};

/* The titles of all data, as they are without JavaScript. */
const titles = page => page.evaluate(() => [...document.querySelectorAll(
	'svg')].map(svg => [...svg.querySelectorAll('.datum title')].map(
		t => t.textContent)));

/* "8.57": four digits, as the page writes values. */
const short = value => Number.isInteger(value) ? String(value) :
	String(Number(value.toPrecision(4)));

/* Each title of the first picture holds the values of the data. */
const checkValues = (spec, found) => {
	const first = spec.data.filter(d => d.title === spec.data[0].title);
	const wrong = [];
	for (const datum of first) {
		if (datum.value === null)
			continue;
		const there = found[0].some(title => title.split('\n').some(
			line => line.startsWith(datum.series + ': ') &&
			Number(line.slice(datum.series.length + 2).split(
				' ')[0]) === Number(short(datum.value))));
		if (!there)
			wrong.push(`${datum.series} ${datum.value} at ` +
				`${datum.x || datum.of} is in no title`);
	}
	return wrong;
};

const checkPointer = async (page, expected) => {
	const wrong = [];
	for (let svg = 0; svg < expected.length; svg++) {
		const data = page.locator('svg').nth(svg).locator('.datum');
		const i = Math.floor((expected[svg].length - 1) / 2);
		await data.nth(i).dispatchEvent('pointerenter');
		const said = await tip(page);
		if (said !== expected[svg][i])
			wrong.push(`picture ${svg}: tip "${said}", not ` +
				`"${expected[svg][i]}"`);
		await data.nth(i).dispatchEvent('pointerleave');
	}
	return wrong;
};

/* A real pointer over the first picture. */
const checkHover = async (page, expected) => {
	const datum = page.locator('svg').first().locator('.datum').first();
	await datum.scrollIntoViewIfNeeded();
	await datum.hover({ position: { x: 3, y: 3 }, force: true });
	const said = await tip(page);
	return expected[0].includes(said) ? [] : [`hover: tip "${said}"`];
};

/* Tab reaches the first picture, arrows its other data, Escape ends. */
const checkKeyboard = async (page, expected) => {
	await page.evaluate(() => { document.activeElement.blur();
		scrollTo(0, 0); });
	for (let i = 0; i < 60; i++) {
		await page.keyboard.press('Tab');
		if (await page.evaluate(() => document.activeElement.classList.
			contains('datum')))
			break;
	}
	const first = await tip(page);
	await page.keyboard.press('ArrowRight');
	const second = await tip(page);
	await page.keyboard.press('End');
	const last = await tip(page);
	await page.keyboard.press('Escape');
	const none = await tip(page);
	const said = JSON.stringify([first, second, last, none]);
	const all = expected[0];
	const wanted = JSON.stringify([all[0], all[Math.min(1, all.length - 1)],
		all[all.length - 1], '']);
	return said === wanted ? [] : [`keys: ${said}, not ${wanted}`];
};

/* A word leaves the rows that hold it; the list of verdicts those of one. */
const checkFilter = async (page, spec) => {
	const wrong = [];
	const bar = page.locator('.filter').first();
	const rows = page.locator('table.filtered').first().locator('tbody tr');
	const all = await rows.allTextContents();
	const holds = all.filter(t => t.toLowerCase().includes(
		spec.filter.toLowerCase())).length;
	await bar.locator('input').fill(spec.filter);
	const shown = await rows.filter({ visible: true }).count();
	if (shown !== holds || !holds || holds === all.length)
		wrong.push(`"${spec.filter}": ${shown} rows, not ${holds} of ` +
			all.length);
	if (await bar.locator('span').textContent() !==
	    `${holds} of ${all.length} rows`)
		wrong.push('the number of rows is not said');
	await bar.locator('input').fill('');
	if (await rows.filter({ visible: true }).count() !== all.length)
		wrong.push('rows do not come back');
	if (await bar.locator('select').count()) {
		const words = await bar.locator('option').allTextContents();
		await bar.locator('select').selectOption(words[1]);
		const chosen = await rows.filter({ visible: true }).
			allTextContents();
		if (!chosen.length || !chosen.every(t => t.includes(words[1])))
			wrong.push(`list: ${words[1]}: ${chosen.length} rows`);
		await bar.locator('select').selectOption('');
	}
	return wrong;
};

const checkScheme = async (browser, spec, expected, colorScheme) => {
	const { page, wrong, close } = await open(browser, spec,
		{ colorScheme });
	const text = await page.locator('main').innerText();
	for (const word of spec.words)
		if (!says(text, word))
			wrong.push(`the page does not say "${word}"`);
	if (expected.length)
		wrong.push(...await checkHover(page, expected));
	wrong.push(...await accessible(page, colorScheme + ', tip'));
	if (colorScheme === 'light' && expected.length) {
		wrong.push(...await checkPointer(page, expected));
		wrong.push(...await checkKeyboard(page, expected));
	}
	await page.evaluate(() => document.querySelectorAll('details').forEach(
		d => { d.open = true; }));
	if (spec.filter && colorScheme === 'light')
		wrong.push(...await checkFilter(page, spec));
	wrong.push(...await accessible(page, colorScheme + ', all open'));
	const back = await page.evaluate(() => getComputedStyle(document.body).
		backgroundColor);
	if ((colorScheme === 'dark') !== (back !== 'rgb(255, 255, 255)'))
		wrong.push(`${colorScheme}: the background is ${back}`);
	if (process.env.ASSAY_PICTURES)
		await page.screenshot({ fullPage: true, path: path.join(
			process.env.ASSAY_PICTURES, path.basename(spec.file,
				'.html') + '-' + colorScheme + '.png') });
	await close();
	tell(`${path.basename(spec.file)}: ${colorScheme}`, wrong);
};

/* Pictures, tables and sentences are there; nothing that would do nothing. */
const checkPlain = async (browser, spec) => {
	const { page, wrong, close } = await open(browser, spec,
		{ javaScriptEnabled: false });
	const found = await page.evaluate(() => 0).catch(() => null);
	const expected = await titles(page);
	const text = await page.locator('main').innerText();
	for (const word of spec.words)
		if (!says(text, word))
			wrong.push(`the page does not say "${word}"`);
	if (found === null)
		wrong.push('the page could not be looked at');
	if (spec.data.length && !expected.length)
		wrong.push('no picture');
	if (spec.data.length)
		wrong.push(...checkValues(spec, expected));
	if (await page.locator('input,select,button').count())
		wrong.push('a control without a script');
	await close();
	tell(`${path.basename(spec.file)}: without JavaScript`, wrong);
	return expected;
};

const checkPhone = async (browser, spec) => {
	const { page, wrong, close } = await open(browser, spec,
		{ viewport: { width: 390, height: 800 } });
	const wide = await page.evaluate(() =>
		document.documentElement.scrollWidth);
	if (wide > 390)
		wrong.push(`the page is ${wide} px wide`);
	const pdf = await page.pdf();
	if (pdf.length < 10000)
		wrong.push('nothing is printed');
	const data = await page.evaluate(() => JSON.parse(document.
		getElementById('assay-data').textContent));
	if (!Array.isArray(data) || !data.length || !data[0].rows)
		wrong.push('no data in the page');
	await close();
	tell(`${path.basename(spec.file)}: 390 px, print, data`, wrong);
};

/* Names from outside stay text: no element, no script, no link is theirs. */
const checkInert = async (browser, spec) => {
	const { page, wrong, close } = await open(browser, spec, {});
	await page.waitForTimeout(200);
	const made = await page.evaluate(() => [document.querySelectorAll(
		'img,iframe,object,embed,a,form,link,base,video').length,
		document.scripts.length, typeof window.hacked,
		[...document.querySelectorAll('*')].filter(e => [...e.
			attributes].some(a => /^on/.test(a.name))).length]);
	if (JSON.stringify(made) !== '[0,2,"undefined",0]')
		wrong.push('foreign elements: ' + JSON.stringify(made));
	await close();
	tell(`${path.basename(spec.file)}: names are inert`, wrong);
};

(async () => {
	const browser = await chromium.launch({ executablePath:
		process.env.CHROMIUM || '/usr/bin/chromium',
		args: ['--disable-gpu', ...root] });
	console.log(`1..${specs.length * 5}`);
	for (const spec of specs) {
		const expected = await checkPlain(browser, spec);
		await checkScheme(browser, spec, expected, 'light');
		await checkScheme(browser, spec, expected, 'dark');
		await checkPhone(browser, spec);
		await checkInert(browser, spec);
	}
	await browser.close();
})().catch(e => { console.log('Bail out! ' + e.message); process.exit(1); });
