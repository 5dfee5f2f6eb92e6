import { storeName } from '../api/words.js';
import { useFormat } from '../ui/format/format-context.js';

const platforms: Record<string, string> = {
  ios: 'iOS',
  ipados: 'iPadOS',
  macos: 'macOS',
  tvos: 'tvOS',
  watchos: 'watchOS',
  android: 'Android',
  amazon: 'Amazon',
  web: 'Web',
};

/** Returns the name that people use for a value of a dimension; the server's name if there is no other. */
export function valueName(locale: string, dimension: string | undefined, name: string): string {
  switch (dimension) {
    case 'store':
      return storeName(name);
    case 'platform':
      return platforms[name.toLowerCase()] ?? name;
    case 'country':
    case 'customer_country':
    case 'last_seen_country':
      return /^[A-Z]{2}$/.test(name)
        ? (new Intl.DisplayNames(locale, { type: 'region' }).of(name) ?? name)
        : name;
    case undefined:
    default:
      return name;
  }
}

export function useValueName() {
  const { locale } = useFormat();
  return (dimension: string | undefined, name: string) => valueName(locale, dimension, name);
}
