/** Languages of the App Store, in the form that documents use. */
const common = [
  'ar_SA',
  'ca_ES',
  'cs_CZ',
  'da_DK',
  'de_DE',
  'el_GR',
  'en_AU',
  'en_CA',
  'en_GB',
  'en_US',
  'es_ES',
  'es_MX',
  'fi_FI',
  'fr_CA',
  'fr_FR',
  'he_IL',
  'hi_IN',
  'hr_HR',
  'hu_HU',
  'id_ID',
  'it_IT',
  'ja_JP',
  'ko_KR',
  'ms_MY',
  'nb_NO',
  'nl_NL',
  'pl_PL',
  'pt_BR',
  'pt_PT',
  'ro_RO',
  'ru_RU',
  'sk_SK',
  'sv_SE',
  'th_TH',
  'tr_TR',
  'uk_UA',
  'vi_VN',
  'zh_Hans',
  'zh_Hant',
];

const LOCALE = /^[a-z]{2,3}(_[A-Z][a-z]{3})?(_([A-Z]{2}|[0-9]{3}))?$/;

export const isLocale = (text: string): boolean => LOCALE.test(text);

/** Returns the name of a language in English: `de_DE` is "German (Germany)". */
export function languageName(locale: string): string {
  const names = new Intl.DisplayNames(['en'], { type: 'language', languageDisplay: 'standard' });
  try {
    return names.of(locale.replaceAll('_', '-')) ?? locale;
  } catch {
    return locale;
  }
}

/** Languages that a paywall can be translated into, by name. */
export function languagesToAdd(existing: readonly string[]): { value: string; label: string }[] {
  return common
    .filter((locale) => !existing.includes(locale))
    .map((value) => ({ value, label: `${languageName(value)}, ${value}` }))
    .sort((one, other) => one.label.localeCompare(other.label, 'en'));
}
