import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Plugin } from 'vite';

const LICENSE = createRequire(import.meta.url).resolve('@fontsource-variable/inter/LICENSE');

/** Ships the typeface's license, and loads the typeface beside the scripts instead of after the styles. */
export function typeface(): Plugin {
  return {
    name: 'typeface',
    apply: 'build',
    generateBundle() {
      this.emitFile({
        type: 'asset',
        fileName: 'assets/inter-license.txt',
        source: readFileSync(LICENSE, 'utf8'),
      });
    },
    transformIndexHtml: {
      order: 'post',
      handler(_, { bundle, path }) {
        if (path !== '/index.html') return [];
        const file = Object.keys(bundle ?? {}).find((name) => /\/inter-[\w-]+\.woff2$/.test(name));
        if (file === undefined) throw new Error('the build has no typeface');
        const attrs = { rel: 'preload', href: `/${file}`, as: 'font', type: 'font/woff2', crossorigin: true };
        return [{ tag: 'link', attrs, injectTo: 'head' }];
      },
    },
  };
}
