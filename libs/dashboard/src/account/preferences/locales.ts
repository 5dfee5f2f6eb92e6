const locales = [
  'en-US',
  'en-GB',
  'en-AU',
  'en-CA',
  'en-IN',
  'de-DE',
  'de-CH',
  'fr-FR',
  'fr-CA',
  'es-ES',
  'es-MX',
  'it-IT',
  'pt-BR',
  'pt-PT',
  'nl-NL',
  'sv-SE',
  'nb-NO',
  'da-DK',
  'fi-FI',
  'pl-PL',
  'cs-CZ',
  'hu-HU',
  'ro-RO',
  'el-GR',
  'tr-TR',
  'uk-UA',
  'ru-RU',
  'he-IL',
  'ar-EG',
  'hi-IN',
  'id-ID',
  'th-TH',
  'vi-VN',
  'ja-JP',
  'ko-KR',
  'zh-CN',
  'zh-TW',
];

/** Locales by English name. Includes a locale that was chosen elsewhere. */
export function localeOptions(chosen: string | null): { value: string; label: string }[] {
  const names = new Intl.DisplayNames('en', { type: 'language' });
  return [...new Set([...locales, ...(chosen === null ? [] : [chosen])])]
    .map((value) => ({ value, label: names.of(value) ?? value }))
    .sort((a, b) => a.label.localeCompare(b.label, 'en'));
}
