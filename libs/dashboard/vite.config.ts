import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { openApiFacts } from './openapi-facts.js';
import { stockRenderer } from './stock-renderer.js';
import { typeface } from './typeface.js';

/** Paths of the server, which `npm run dev:dashboard` forwards to it. */
const api = ['/v1', '/v2', '/auth', '/oauth', '/sso', '/.well-known', '/docs', '/openapi.json'];

// The server's same-origin check compares the Host header with the page's origin.
const target = { target: 'http://127.0.0.1:8787', changeOrigin: false };

const SOURCE = /\/dashboard\/src\/(.*)$/;
const isStyle = (id: string): boolean => /\.(css|html)$/.test(id);
/** Returns the module's path below `src`: `ui/button.tsx`, or `virtual:permissions`. */
const nameOf = (id: string): string => SOURCE.exec(id)?.[1] ?? id.replace('\0', '');
const named =
  (pattern: RegExp) =>
  (id: string): boolean =>
    pattern.test(nameOf(id)) && !isStyle(id);
/** The code of the page in the editor's frame, which loads nothing else. */
const isFrameCode = named(/\/preview\/frame\/|\/purchases-js\//);

/**
 * Groups modules into few files, because the first page lists all file names, and small files compress badly. A module
 * belongs to the first matching group, with its imports, so no two files need each other. Code of a single page stays
 * in the page's file, and lazily loaded code stays separate.
 */
const groups = [
  // Code of every page, in one request.
  {
    name: 'base',
    tags: ['$initial' as const],
    test: (id: string) => !isStyle(id) && !isFrameCode(id),
    priority: 9,
  },
  // Code for sign-in.
  {
    name: 'forms',
    test: named(
      /^(ui\/forms\/(form|field|text-field)|frame\/(forms\/(use-form|form-values)|pages\/plain-page)|account\/entry\/(go-on|notice|sign-in[\w.-]*|use-sso))\.tsx?$/,
    ),
    priority: 8,
  },
  // Code that most pages render with. The sign-in page loads it for the icons, after it has rendered.
  {
    name: 'page',
    test: named(
      /^ui\/(chart\/sparkline|icon-paths|badge|keys|panel|tone|csv-button|lists\/data-list|loading\/(empty-state|error-panel|query-panel)|format\/(format-|money|time|download|csv))|^api\/(words|currencies)|^frame\/health\/|\/react-query\/.*\/use(Queries|InfiniteQuery)\.js$/,
    ),
    priority: 7,
  },
  // The frame around every page of a project.
  {
    name: 'frame',
    test: named(
      /^(frame\/(frame|pages\/(project-page|page|breadcrumb))\.tsx$|frame\/navigation\/(navigation|setup-return)|api\/permission|virtual:permissions)/,
    ),
    priority: 6,
  },
  // Controls that most pages use for changes.
  {
    name: 'controls',
    test: named(/^(api|frame|ui)\/(?!chart\/|overlays\/lazy\/)/),
    minShareCount: 3,
    priority: 5,
  },
  // Code that the pages of one feature share.
  {
    name: (id: string) => /^(?:(?:settings|testing)\/)?([\w-]+)\//.exec(nameOf(id))?.[1] ?? null,
    debugName: 'features',
    test: named(/^(?!api|frame|ui)(?!.*\/preview\/frame\/)[\w-]+\//),
    minShareCount: 2,
    priority: 4,
  },
];

export default defineConfig({
  root: import.meta.dirname,
  plugins: [openApiFacts(), tailwindcss(), typeface(), stockRenderer()],
  oxc: { jsx: { runtime: 'automatic' } },
  server: {
    proxy: Object.fromEntries(api.map((prefix) => [prefix, target])),
    // The frame of the paywall editor has no origin.
    cors: { origin: ['null', /^https?:\/\/(localhost|127\.0\.0\.1)(:\d+)?$/] },
  },
  build: {
    target: 'es2022',
    outDir: '../../dist/dashboard',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The sources are public; to read a stack trace, build that version with source maps.
    sourcemap: false,
    manifest: true,
    rollupOptions: {
      input: { index: 'index.html', preview: 'paywall-preview.html', pages: 'src/styles/pages.css' },
      output: {
        // The first load lists all file names, so each character counts.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        codeSplitting: { groups },
      },
      onwarn(warning, warn) {
        // Dependencies contain directives for server rendering, which are irrelevant here.
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
      },
    },
  },
});
