import { readFileSync, realpathSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Sizes of the built dashboard, compressed with gzip, against their budgets: `npm run check` fails above one. What a page
 * loads is read off the import graph in Vite's manifest.
 */
const KIB = 1024;
/** Chunks of libs/dashboard/vite.config.ts: what every page imports, and what surrounds every page of a project. */
const BASE = 'base';
const FRAME = 'frame';
/** Menus, dialogs and other parts that the frame loads when the browser is idle. */
const OVERLAYS = 'src/ui/overlays/lazy/parts.ts';
const LOGIN = 'src/account/login-page.tsx';
const OVERVIEW = 'src/overview/overview-page.tsx';
const CHARTS = 'src/charts/chart-page.tsx';
const EDITOR = 'src/catalog/paywalls/editor/paywall-page.tsx';
/**
 * React, router, query cache and client are 106 of the first load. A quarter of the editor's loads with its other tabs and
 * the import of texts.
 */
const budgets = { login: 125, overview: 150, route: 65, charts: 63, editor: 88, overlays: 65, styles: 15 };
const budgetsOfPages = { [CHARTS]: budgets.charts, [EDITOR]: budgets.editor };
/** Scripts of a first load. Page, style sheet and the call that says who is there come besides. */
const MOST_FILES = 5;

/** Chunks that are loaded with these, by key of the manifest. `isLater`: also those that they load when they are used. */
function loadedWith(manifest, keys, { isLater = false, without = new Set() } = {}) {
  const loaded = new Set();
  const add = (key) => {
    if (loaded.has(key) || without.has(key)) return;
    const chunk = manifest[key];
    if (chunk === undefined) throw new Error(`the build has no ${key}`);
    loaded.add(key);
    for (const next of chunk.imports ?? []) add(next);
    if (isLater) for (const next of chunk.dynamicImports ?? []) add(next);
  };
  for (const key of keys) add(key);
  return loaded;
}

/**
 * Every budget with what is used of it, in KiB or files, the largest route last.
 * @param sizeOf compressed bytes of a file
 */
export function measure(manifest, sizeOf) {
  const filesOf = (chunks) => [...chunks].map((key) => manifest[key].file);
  const kib = (files) => [...new Set(files)].reduce((sum, file) => sum + sizeOf(file), 0) / KIB;
  const chunk = (name) => {
    const found = Object.keys(manifest).find((key) => manifest[key].name === name);
    if (found === undefined) throw new Error(`the build has no ${name}`);
    return found;
  };
  const base = chunk(BASE);
  const frame = loadedWith(manifest, [base, chunk(FRAME)]);
  const overlays = loadedWith(manifest, [OVERLAYS], { without: frame });
  const known = new Set([...frame, ...overlays]);
  const own = (page) => loadedWith(manifest, [page], { isLater: true, without: known });
  const pages = Object.keys(manifest).filter(
    (key) => /-page\.tsx$/.test(key) && manifest[key].isDynamicEntry,
  );
  const routes = pages
    .map((page) => ({
      what: page,
      used: kib(filesOf(own(page))),
      budget: budgetsOfPages[page] ?? budgets.route,
    }))
    .sort((a, b) => a.used - b.used);
  // Its lines are drawn with it; the chart of a metric comes when it is asked for.
  const overview = filesOf([...frame, ...loadedWith(manifest, [OVERVIEW], { without: frame })]);
  const login = filesOf(loadedWith(manifest, [base, LOGIN]));
  const styles = filesOf(Object.keys(manifest)).filter((file) => file.endsWith('.css'));
  return [
    { what: 'first load of /login', used: kib(login), budget: budgets.login },
    { what: 'first load of the overview', used: kib(overview), budget: budgets.overview },
    { what: 'scripts of /login', used: login.length, budget: MOST_FILES, unit: 'files' },
    { what: 'scripts of the overview', used: overview.length, budget: MOST_FILES, unit: 'files' },
    { what: 'menus and dialogs, when idle', used: kib(filesOf(overlays)), budget: budgets.overlays },
    { what: 'styles', used: kib(styles), budget: budgets.styles },
    ...routes,
  ];
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const folder = fileURLToPath(new URL('../dist/dashboard/', import.meta.url));
  const manifest = JSON.parse(readFileSync(`${folder}.vite/manifest.json`, 'utf8'));
  const rows = measure(manifest, (file) => statSync(`${folder}${file}.gz`).size);
  const isAll = process.argv.includes('--all');
  for (const { what, used, budget, unit = 'KiB' } of rows) {
    const isOver = used > budget;
    if (isOver) process.exitCode = 1;
    const shown = isOver || isAll || !what.startsWith('src/') || what === CHARTS || what === rows.at(-1).what;
    if (shown) {
      process.stdout.write(
        `${isOver ? 'TOO LARGE' : 'ok'}: ${what}: ${Number(used.toFixed(1))} of ${budget} ${unit}\n`,
      );
    }
  }
}
