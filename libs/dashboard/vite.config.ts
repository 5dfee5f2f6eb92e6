import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { openApiFacts } from './openapi-facts.js';

/** Paths of the server, which `npm run dev:dashboard` forwards to it. */
const api = ['/v1', '/v2', '/auth', '/oauth', '/sso', '/.well-known', '/docs', '/openapi.json'];

// The same-origin check of the server compares the Host header with the page's origin.
const target = { target: 'http://127.0.0.1:8787', changeOrigin: false };

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
        codeSplitting: {
          groups: [
            // What every page needs comes in one request.
            { name: 'base', tags: ['$initial'], test: (id) => !/\.(css|html)$/.test(id), priority: 2 },
            // What signing in needs: many small files otherwise.
            {
              name: 'forms',
              test: /src\/(ui\/(form|field|text-field)|account\/entry\/(go-on|notice|sign-in|use-sso)[\w.-]*)\.tsx?$/,
              includeDependenciesRecursively: false,
              priority: 1,
            },
            // What the pages of organizations share. The first page of all holds the name of each chunk.
            {
              name: 'organizations',
              test: /src\/organizations\/(?!(\w+\/)?[\w-]+-page\.tsx)|virtual:organization-audit/,
              includeDependenciesRecursively: false,
              priority: 1,
            },
          ],
        },
      },
      onwarn(warning, warn) {
        // Dependencies name directives of server rendering, which mean nothing here.
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
      },
    },
  },
});
