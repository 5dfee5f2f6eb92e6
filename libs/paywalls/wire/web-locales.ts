import type { PaywallDocument } from '../model.js';

const regions: Record<string, string> = {
  ar: 'AE EG SA',
  bg: 'BG',
  bn: 'BD IN',
  ca: 'ES',
  cs: 'CZ',
  da: 'DK',
  de: 'AT BE CH DE LI LU',
  el: 'CY GR',
  en: 'AU CA GB HK IE IN MT NG NZ PH SG US ZA',
  es: 'AR BO CL CO CR DO EC ES GT MX PE PR US UY VE',
  et: 'EE',
  fa: 'IR',
  fi: 'FI',
  fr: 'BE CA CH FR LU MA',
  he: 'IL',
  hi: 'IN',
  hr: 'HR',
  hu: 'HU',
  id: 'ID',
  it: 'CH IT',
  ja: 'JP',
  ko: 'KR',
  lt: 'LT',
  lv: 'LV',
  ms: 'MY',
  nb: 'NO',
  nl: 'BE NL',
  nn: 'NO',
  no: 'NO',
  pl: 'PL',
  pt: 'AO BR PT',
  ro: 'MD RO',
  ru: 'BY KZ RU',
  sk: 'SK',
  sl: 'SI',
  sq: 'AL',
  sr: 'RS',
  sv: 'FI SE',
  ta: 'IN',
  te: 'IN',
  th: 'TH',
  sw: 'KE',
  tr: 'CY TR',
  uk: 'UA',
  ur: 'PK',
  vi: 'VN',
  zh: 'CN HK MO SG TW',
};

/** Languages of browsers for which answers may differ. The list is closed, because each may be cached. */
export const knownWebTags: ReadonlySet<string> = new Set(
  Object.entries(regions).flatMap(([language, codes]) =>
    codes.split(' ').map((code) => `${language}-${code}`),
  ),
);

/** The language that the browser prefers, if it is a known one. */
export function webTag(acceptLanguage: string | undefined): string | null {
  const [first = ''] = (acceptLanguage ?? '').split(/[,;]/, 1);
  const tag = first.trim();
  return knownWebTags.has(tag) ? tag : null;
}

/** Keys are locales (`de_DE`). The web SDK compares them as they are with the language of the browser (`de-DE`). */
export function withWebLocales<Value>(
  byLocale: Readonly<Record<string, Value>>,
  tag: string | null,
): Record<string, Value> {
  const entries = Object.entries(byLocale);
  const all = Object.fromEntries([
    ...entries,
    ...entries.map(([locale, value]): [string, Value] => [locale.replaceAll('_', '-'), value]),
  ]);
  if (tag === null || tag in all) return all;
  const language = tag.slice(0, tag.indexOf('-'));
  const nearest = entries.find(([locale]) => locale.split('_', 1)[0] === language);
  return nearest ? { ...all, [tag]: nearest[1] } : all;
}

/** The document for browsers: with further keys for its texts. */
export function webDocument(document: PaywallDocument, tag: string | null): PaywallDocument {
  return { ...document, components_localizations: withWebLocales(document.components_localizations, tag) };
}
