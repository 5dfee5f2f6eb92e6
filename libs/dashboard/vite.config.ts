import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { openApiFacts } from './openapi-facts.js';

/** Paths of the server, which `npm run dev:dashboard` forwards to it. */
const api = ['/v1', '/v2', '/auth', '/oauth', '/sso', '/.well-known', '/docs', '/openapi.json'];

// The same-origin check of the server compares the Host header with the page's origin.
const target = { target: 'http://127.0.0.1:8787', changeOrigin: false };

const SOURCE = /\/dashboard\/src\/(.*)$/;
const isStyle = (id: string): boolean => /\.(css|html)$/.test(id);
/** The module as it is named below `src`: `ui/button.tsx`, or `virtual:permissions`. */
const nameOf = (id: string): string => SOURCE.exec(id)?.[1] ?? id.replace('\0', '');
const named =
  (pattern: RegExp) =>
  (id: string): boolean =>
    pattern.test(nameOf(id)) && !isStyle(id);

/**
 * Few files, of what is used together: the first page of all holds the name of each, and small files compress badly. A
 * module goes into the first group that takes it, with what it imports; so no two files need each other. What belongs to
 * one page alone stays in the file of the page, and what is loaded when it is used stays apart.
 */
const groups = [
  // What every page needs comes in one request.
  { name: 'base', tags: ['$initial' as const], test: (id: string) => !isStyle(id), priority: 9 },
  // What signing in needs.
  {
    name: 'forms',
    test: named(
      /^(ui\/(form|field|text-field)|frame\/(use-fields|plain-page)|account\/entry\/(go-on|notice|sign-in[\w.-]*|use-sso))\.tsx?$/,
    ),
    priority: 8,
  },
  // What most pages draw their contents with. The sign-in page loads it for the icons, after it is drawn.
  {
    name: 'page',
    test: named(
      /^ui\/(icon-paths|badge|data-list|empty-state|error-panel|format-|keys|money|panel|query-panel|time|tone)|^frame\/(health-|setup-health)|\/react-query\/.*\/use(Queries|InfiniteQuery)\.js$/,
    ),
    priority: 7,
  },
  // What surrounds every page of a project.
  { name: 'frame', test: named(/^frame\/(frame|project-page)\.tsx$/), priority: 6 },
  // What most pages are changed with.
  { name: 'controls', test: named(/^(api|frame|ui)\/(?!chart\/|overlay\/)/), minShareCount: 3, priority: 5 },
  // What the pages of one feature share.
  {
    name: (id: string) => /^([\w-]+)\//.exec(nameOf(id))?.[1] ?? null,
    debugName: 'features',
    test: named(/^(?!api|frame|ui)[\w-]+\//),
    minShareCount: 2,
    priority: 4,
  },
];

export default defineConfig({
  root: import.meta.dirname,
  plugins: [openApiFacts(), tailwindcss()],
  oxc: { jsx: { runtime: 'automatic' } },
  server: { proxy: Object.fromEntries(api.map((prefix) => [prefix, target])) },
  build: {
    target: 'es2022',
    outDir: '../../dist/dashboard',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The sources are public: for a stack trace, build that version with maps.
    sourcemap: false,
    manifest: true,
    rollupOptions: {
      input: { index: 'index.html', pages: 'src/pages.css' },
      output: {
        // The first load lists the names of all files: one letter less in each.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        codeSplitting: { groups },
      },
      onwarn(warning, warn) {
        // Dependencies name directives of server rendering, which mean nothing here.
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
      },
    },
  },
});
