/** Words that Intl does not know. */
interface Words {
  daily: string;
  weekly: string;
  monthly: string;
  yearly: string;
  annual: string;
  annually: string;
  lifetime: string;
  free: string;
}

type WordRow = [
  daily: string,
  weekly: string,
  monthly: string,
  yearly: string,
  annual: string,
  annually: string,
  lifetime: string,
  free: string,
];

const rows = {
  en: ['daily', 'weekly', 'monthly', 'yearly', 'annual', 'annually', 'lifetime', 'free'],
  de: ['täglich', 'wöchentlich', 'monatlich', 'jährlich', 'jährlich', 'jährlich', 'lebenslang', 'kostenlos'],
  fr: ['quotidien', 'hebdomadaire', 'mensuel', 'annuel', 'annuel', 'annuellement', 'à vie', 'gratuit'],
  es: ['diario', 'semanal', 'mensual', 'anual', 'anual', 'anualmente', 'de por vida', 'gratis'],
  it: ['giornaliero', 'settimanale', 'mensile', 'annuale', 'annuale', 'annualmente', 'a vita', 'gratis'],
  pt: ['diário', 'semanal', 'mensal', 'anual', 'anual', 'anualmente', 'vitalício', 'grátis'],
  nl: [
    'dagelijks',
    'wekelijks',
    'maandelijks',
    'jaarlijks',
    'jaarlijks',
    'jaarlijks',
    'levenslang',
    'gratis',
  ],
  ja: ['毎日', '毎週', '毎月', '毎年', '年間', '毎年', '永久', '無料'],
  ko: ['매일', '매주', '매월', '매년', '연간', '매년', '평생', '무료'],
  zh_Hans: ['每天', '每周', '每月', '每年', '年度', '每年', '终身', '免费'],
  zh_Hant: ['每天', '每週', '每月', '每年', '年度', '每年', '終身', '免費'],
} as const satisfies Record<string, WordRow>;

type WordLanguage = keyof typeof rows;

const traditionalRegions: ReadonlySet<string> = new Set(['TW', 'HK', 'MO']);

function wordLanguage(locale: string): WordLanguage | undefined {
  const [language = '', ...rest] = locale.split('_');
  if (language !== 'zh') return Object.hasOwn(rows, language) ? (language as WordLanguage) : undefined;
  const isTraditional =
    rest.includes('Hant') || (!rest.includes('Hans') && traditionalRegions.has(rest.at(-1) ?? ''));
  return isTraditional ? 'zh_Hant' : 'zh_Hans';
}

/** Whether the words for periods exist in the language of a locale; otherwise they are English. */
export function hasPeriodWords(locale: string): boolean {
  return wordLanguage(locale) !== undefined;
}

function wordsOf(locale: string): Words {
  const [daily, weekly, monthly, yearly, annual, annually, lifetime, free] =
    rows[wordLanguage(locale) ?? 'en'];
  return { daily, weekly, monthly, yearly, annual, annually, lifetime, free };
}

const units = ['day', 'week', 'month', 'year'] as const;

type Unit = (typeof units)[number];
type Length = 'long' | 'short' | 'narrow';

/** A number of each range for which SDKs have a text of its own: 0, 1, 2, 3 to 4, 5 to 10, and the rest. */
const samples = { zero: 0, one: 1, two: 2, few: 3, many: 5, other: 11 };

type Part = Intl.NumberFormatPart;

const isNumber = ({ type }: Part): boolean => type === 'integer' || type === 'group';

function partsOf(tag: string, unit: Unit, unitDisplay: Length, value: number): Part[] {
  return new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay }).formatToParts(value);
}

/** A text for `printf`: with `%d` for the number. */
function counted(tag: string, unit: Unit, length: Length, value: number): string {
  return partsOf(tag, unit, length, value)
    .map((part) => (isNumber(part) ? '%d' : part.value))
    .join('');
}

function unitName(tag: string, unit: Unit, length: Length): string {
  const parts = partsOf(tag, unit, length, 1).filter((part) => !isNumber(part));
  return parts
    .map(({ value }) => value)
    .join('')
    .trim();
}

function percentText(tag: string): string {
  return new Intl.NumberFormat(tag, { style: 'percent' })
    .formatToParts(0.11)
    .map((part) => (isNumber(part) ? '%d' : part.value.replaceAll('%', '%%')))
    .join('');
}

/** Texts of variables such as `{{ product.period }}` in one locale (`de_DE`), by the keys that SDKs know. */
export function periodTexts(locale: string): Record<string, string> {
  const tag = locale.replaceAll('_', '-');
  const { free, ...words } = wordsOf(locale);
  const ofUnits = units.flatMap((unit): [string, string][] => [
    [unit, unitName(tag, unit, 'long')],
    [`${unit}_short`, unitName(tag, unit, 'short')],
    ...Object.entries(samples).map(([name, value]): [string, string] => [
      `num_${unit}_${name}`,
      counted(tag, unit, 'long', value),
    ]),
    [`num_${unit}s_short`, counted(tag, unit, 'narrow', samples.other)],
  ]);
  return {
    ...Object.fromEntries(ofUnits),
    ...words,
    annual_short: unitName(tag, 'year', 'short'),
    free_price: free,
    percent: percentText(tag),
  };
}
