import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const BUNDLE = createRequire(import.meta.url).resolve('@revenuecat/purchases-js');
const LICENSE = join(BUNDLE, '../../LICENSE');

/** Ships the bundle of the stock web SDK, which renders paywalls in the editor, with its license: `virtual:stock-renderer` is its address. */
export function stockRenderer(): Plugin {
  return {
    name: 'stock-renderer',
    // The package exports the bundle to `require` only.
    resolveId: (id) => (id === 'virtual:stock-renderer' ? `${BUNDLE}?url` : null),
    generateBundle() {
      this.emitFile({
        type: 'asset',
        fileName: 'assets/purchases-js-license.txt',
        source: readFileSync(LICENSE, 'utf8'),
      });
    },
  };
}
