import { loadavg } from 'node:os';
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { startDatabase } from './database.mjs';
import {
  followLink,
  longestTask,
  noteInput,
  noteLongTasks,
  openingFigures,
  paintedAfterInput,
} from './dashboard-page.mjs';
import { percentile } from './percentile.mjs';
import { startServer } from './server.mjs';
import { buildWorld, call } from './world.mjs';

const PORT = 18_795;
const CUSTOMERS = 300;
const LIST_ROWS = 10_000;
const SCROLL_PX = 900;
/** Pages and their addresses, as the navigation names them. */
const PAGES = ['Customers', 'Products', 'Webhooks', 'Events', 'Transactions', 'Overview'];
const TYPED = 'customer-4711@example';

function launch() {
  const found = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
  const executablePath = process.env.CHROMIUM_PATH ?? found;
  if (!executablePath) throw new Error('There is no Chromium; set CHROMIUM_PATH');
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
}

/** What a browser's page does, by the browser's own metrics. */
async function meterOf(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const read = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return Object.fromEntries(metrics.map(({ name, value }) => [name, value * 1_000]));
  };
  /** Times of what `work` makes the page do (ms); `work` returns the time until it was painted. */
  return async (work) => {
    const before = await read();
    const painted = await work();
    const after = await read();
    const spent = (name) => after[name] - before[name];
    return {
      painted,
      task: spent('TaskDuration'),
      script: spent('ScriptDuration'),
      cpu: spent('ThreadTime'),
    };
  };
}

/** A page of a browser profile with an empty cache; without a cookie, signed out. */
async function newPage(browser, url, cookie) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  if (cookie) {
    const [name, value] = cookie.split('=');
    await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Lax' }]);
  }
  const page = await context.newPage();
  await page.addInitScript(noteLongTasks);
  return page;
}

async function openings({ browser, url, rounds }, path, cookie) {
  const found = [];
  for (let round = 0; round < rounds; round++) {
    const page = await newPage(browser, url, cookie);
    const measure = await meterOf(page);
    let figures;
    const times = await measure(async () => {
      await page.goto(url + path);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      figures = await page.evaluate(openingFigures);
      return figures.paintedMs;
    });
    found.push({ ...figures, ...times, longest: await page.evaluate(longestTask) });
    await page.context().close();
  }
  return found;
}

async function routeChanges({ browser, url, cookie, path, rounds }) {
  const page = await newPage(browser, url, cookie);
  await page.goto(`${url}${path('overview')}`);
  await page.getByRole('navigation').getByRole('link', { name: PAGES[0], exact: true }).first().waitFor();
  const measure = await meterOf(page);
  const found = [];
  for (let round = 0; round <= rounds; round++) {
    for (const name of PAGES) {
      const times = await measure(() => page.evaluate(followLink, name));
      // The first round fills the caches.
      if (round > 0) found.push({ ...times, longest: await page.evaluate(longestTask) });
      await page.waitForLoadState('networkidle');
      await page.evaluate(noteLongTasks);
    }
  }
  await page.context().close();
  return found;
}

async function scrolling({ browser, url, cookie, path, rounds }) {
  const page = await newPage(browser, url, cookie);
  // A page of the API has fewer rows; what is drawn is the same.
  await page.route(/\/v2\/projects\/[^/]+\/customers\?/, async (route) => {
    const answer = await route.fetch();
    const body = await answer.json();
    const items = Array.from({ length: LIST_ROWS }, (_, n) => ({ ...body.items[0], id: `user-${n}` }));
    await route.fulfill({ response: answer, json: { ...body, items, next_page: null } });
  });
  await page.goto(`${url}${path('customers')}`);
  await page.getByRole('link', { name: 'user-0', exact: true }).waitFor();
  await page.waitForLoadState('networkidle');
  await page.mouse.move(640, 500);
  const measure = await meterOf(page);
  const found = [];
  for (let step = 0; step < rounds * 4; step++) {
    await page.evaluate(noteLongTasks);
    await page.evaluate(noteInput, 'wheel');
    const times = await measure(async () => {
      await page.mouse.wheel(0, SCROLL_PX);
      return page.evaluate(paintedAfterInput);
    });
    found.push({ ...times, longest: await page.evaluate(longestTask) });
  }
  const rows = await page.getByRole('row').count();
  await page.context().close();
  return { found, rows };
}

async function keystrokes({ browser, url, cookie, rounds }, address, prepare) {
  const page = await newPage(browser, url, cookie);
  await page.goto(url + address);
  await page.waitForLoadState('networkidle');
  await prepare(page);
  await page.waitForLoadState('networkidle');
  const measure = await meterOf(page);
  const found = [];
  for (const key of TYPED.repeat(Math.ceil(rounds / 10))) {
    await page.evaluate(noteLongTasks);
    await page.evaluate(noteInput, 'keydown');
    const times = await measure(async () => {
      await page.keyboard.press(key);
      return page.evaluate(paintedAfterInput);
    });
    found.push({ ...times, longest: await page.evaluate(longestTask) });
  }
  await page.context().close();
  return found;
}

const ms = (value) => Number(value.toFixed(1));

function rowOf(what, found) {
  const both = (name) => {
    const values = found.map((one) => one[name]);
    return `${ms(percentile(values, 0.5))}, ${ms(Math.max(...values))}`;
  };
  return {
    what,
    times: found.length,
    'painted ms': both('painted'),
    'main thread ms': both('task'),
    'script ms': both('script'),
    'cpu ms': both('cpu'),
    'longest task ms': Math.max(...found.map(({ longest }) => longest)) || 'below 50',
  };
}

/** Times of the dashboard in Chromium, median and worst; prints a table. `tools`: how run.mjs starts and waits. */
export async function benchDashboard({ nodeOn, until, log, quick }) {
  const rounds = quick ? 5 : 20;
  const database = await startDatabase();
  const url = `http://127.0.0.1:${PORT}`;
  const server = startServer(nodeOn, { database, port: PORT });
  let browser;
  try {
    await until('the server', async () => (await fetch(`${url}/readyz`)).ok);
    log(`loading ${CUSTOMERS} customers`);
    const { account, projectId } = await buildWorld(url, CUSTOMERS, null);
    const { cookie } = await call(url, 'POST', '/auth/login', {}, account);
    browser = await launch();
    log(`load of the machine: ${loadavg().map(ms).join(', ')}`);
    const path = (page) => `/projects/${projectId}/${page}`;
    const plan = { browser, url, cookie, path, rounds };
    const rows = [];
    const add = (what, found) => {
      rows.push(rowOf(what, found));
      log(what);
    };
    const opened = {
      'sign-in': await openings(plan, '/login'),
      overview: await openings(plan, path('overview'), cookie),
    };
    for (const [page, found] of Object.entries(opened)) add(`open the ${page}, nothing cached`, found);
    add('change of page, data cached', await routeChanges(plan));
    const { found, rows: drawn } = await scrolling(plan);
    add(`scroll ${SCROLL_PX} px in ${LIST_ROWS} rows`, found);
    add(
      'key in the search for customers',
      await keystrokes(plan, path('customers'), (page) => page.getByLabel('Find a customer').focus()),
    );
    add(
      'key in the search of the top bar',
      await keystrokes(plan, path('overview'), async (page) => {
        await page.keyboard.press('Control+k');
        await page.getByRole('combobox', { name: 'Customer id' }).waitFor();
      }),
    );
    add(
      'key in the form of a product',
      await keystrokes(plan, path('catalog/products'), async (page) => {
        await page.getByRole('button', { name: 'New product' }).click();
        await page.getByRole('dialog').getByRole('textbox').first().focus();
      }),
    );
    console.table(rows);
    console.log('median, worst');
    for (const [page, found] of Object.entries(opened)) {
      const most = (kind) => Math.max(...found.map((one) => one[kind]));
      console.log(`requested before the ${page} paints: ${most('files')} files, ${most('calls')} calls`);
    }
    console.log(`${drawn} rows in the page while scrolling`);
    console.log(`load of the machine: ${loadavg().map(ms).join(', ')}`);
  } finally {
    await browser?.close();
    server.kill('SIGTERM');
    if (server.exitCode === null) await new Promise((resolve) => server.once('close', resolve));
    await database.stop();
  }
}
