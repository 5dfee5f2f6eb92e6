import { canonicalJson } from '../kernel/index.js';
import type { Price, PriceSource } from './enums.js';
import { type Register, sources } from './facts.model.js';

/** A total order of statements: newer first, then the more trusted source, then the JSON text. */
export function beats<T>(a: Register<T>, b: Register<T>): boolean {
  if (a.at !== b.at) return a.at > b.at;
  if (a.src !== b.src) return sources.indexOf(a.src) < sources.indexOf(b.src);
  return canonicalJson(a.value) > canonicalJson(b.value);
}

const priceSources: readonly PriceSource[] = ['order', 'store', 'import', 'device', 'catalog', 'unknown'];

/** A known price beats an unknown one, and a store's price beats a device's, however old they are. */
export function priceBeats(a: Register<Price>, b: Register<Price>): boolean {
  const known = ({ value }: Register<Price>): boolean => value.amountMicros !== null;
  if (known(a) !== known(b)) return known(a);
  const rank = ({ value }: Register<Price>): number => priceSources.indexOf(value.source);
  return rank(a) === rank(b) ? beats(a, b) : rank(a) < rank(b);
}
