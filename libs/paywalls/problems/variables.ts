const periodsOf = (name: string): string[] => [name, `${name}_abbreviated`];
const inUnits = (name: string): string[] =>
  ['days', 'weeks', 'months', 'years'].map((unit) => `${name}_in_${unit}`);
const perUnits = (name: string): string[] =>
  ['day', 'week', 'month', 'year'].map((unit) => `${name}_per_${unit}`);

const ofProduct = [
  'currency_code',
  'currency_symbol',
  'periodly',
  'price',
  ...periodsOf('price_per_period'),
  ...perUnits('price'),
  ...periodsOf('period'),
  ...inUnits('period'),
  'period_with_unit',
  'offer_price',
  ...perUnits('offer_price'),
  ...periodsOf('offer_period'),
  ...inUnits('offer_period'),
  'offer_period_with_unit',
  'offer_end_date',
  'secondary_offer_price',
  ...periodsOf('secondary_offer_period'),
  'relative_discount',
  'store_product_name',
];

const ofCountdown = ['days', 'hours', 'minutes', 'seconds'].flatMap((unit) => [
  `count_${unit}_with_zero`,
  `count_${unit}_without_zero`,
]);

const PRODUCT = 'product.';
const CUSTOM = 'custom.';

/** Variables that all SDKs know. */
const knownVariables: ReadonlySet<string> = new Set([
  ...ofProduct.map((name) => PRODUCT + name),
  ...ofCountdown,
]);
const knownFunctions: ReadonlySet<string> = new Set(['lowercase', 'uppercase', 'capitalize']);

const expression = /\{\{([^{}]*)\}\}/g;

export interface UnknownName {
  kind: 'variable' | 'function';
  name: string;
}

interface Expression {
  variable: string;
  functionName: string | undefined;
}

function expressionsOf(text: string): Expression[] {
  return [...text.matchAll(expression)].map(([, inner = '']) => {
    const [variable = '', functionName] = inner.split('|').map((part) => part.trim());
    return { variable, functionName };
  });
}

/** Names in `{{ … }}` that SDKs replace by nothing. */
export function unknownNames(text: string, customVariables: ReadonlySet<string>): UnknownName[] {
  return expressionsOf(text).flatMap(({ variable, functionName }): UnknownName[] => {
    const isKnown = variable.startsWith(CUSTOM)
      ? customVariables.has(variable.slice(CUSTOM.length))
      : knownVariables.has(variable);
    return [
      ...(isKnown ? [] : [{ kind: 'variable' as const, name: variable }]),
      ...(functionName === undefined || knownFunctions.has(functionName)
        ? []
        : [{ kind: 'function' as const, name: functionName }]),
    ];
  });
}

/** Whether a text shows facts of a product, and so needs a package. */
export function needsPackage(text: string): boolean {
  return expressionsOf(text).some(({ variable }) => variable.startsWith(PRODUCT));
}
