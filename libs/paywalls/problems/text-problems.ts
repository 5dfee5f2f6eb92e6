import { problem } from '../model.js';
import { hasPeriodWords } from '../wire/period-texts.js';
import { below } from '../document/pointer.js';
import type { CheckedDocument, ProblemRule } from './context.js';
import { needsPackage, unknownNames } from './variables.js';

const lidKeys: ReadonlySet<string> = new Set([
  'text_lid',
  'url_lid',
  'placeholder_lid',
  'override_source_lid',
]);
const textKeys: ReadonlySet<string> = new Set(['text_lid']);
const urlKeys: ReadonlySet<string> = new Set(['url_lid']);

const LOCALIZATIONS = '/components_localizations';

/** Schemes with which an address would run a script or read a file. */
const forbiddenSchemes: ReadonlySet<string> = new Set(['javascript:', 'data:', 'file:', 'blob:']);

const missingDefaultLocale: ProblemRule = ({ document, texts }) =>
  texts ? [] : [problem('E4', '/default_locale', `There are no texts in ${document.default_locale}.`)];

const missingTexts: ProblemRule = (checked) => {
  const { document, texts } = checked;
  if (!texts) return [];
  return checked
    .valuesOf(lidKeys)
    .filter(({ value }) => !Object.hasOwn(texts, value))
    .map(({ value, path }) =>
      problem('E3', path, `There is no text \`${value}\` in ${document.default_locale}.`),
    );
};

function addressProblem(text: unknown): string | null {
  if (typeof text !== 'string') return 'An address must be a text.';
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url) return `\`${text.slice(0, 100)}\` is not a complete address.`;
  return forbiddenSchemes.has(url.protocol)
    ? `\`${url.protocol}\` is not an address that apps may open.`
    : null;
}

const badAddresses: ProblemRule = (checked) => {
  const lids = new Set(checked.valuesOf(urlKeys).map(({ value }) => value));
  return checked.localizations.flatMap(([locale, texts]) =>
    [...lids]
      .filter((lid) => Object.hasOwn(texts, lid))
      .flatMap((lid) => {
        const message = addressProblem(texts[lid]);
        return message === null ? [] : [problem('E5', below(LOCALIZATIONS, locale, lid), message)];
      }),
  );
};

const untranslated: ProblemRule = (checked) => {
  const { document, texts = {}, localizations } = checked;
  const lids = [...new Set(checked.valuesOf(lidKeys).map(({ value }) => value))];
  const used = lids.filter((lid) => Object.hasOwn(texts, lid));
  return localizations
    .filter(([locale]) => locale !== document.default_locale)
    .flatMap(([locale, translated]) =>
      used
        .filter((lid) => !Object.hasOwn(translated, lid))
        .map((lid) =>
          problem(
            'W1',
            below(LOCALIZATIONS, locale),
            `${locale} has no text \`${lid}\`; ${document.default_locale} is shown.`,
          ),
        ),
    );
};

const unknownVariables: ProblemRule = ({ localizations, context }) =>
  localizations.flatMap(([locale, texts]) =>
    Object.entries(texts).flatMap(([lid, text]) =>
      typeof text !== 'string'
        ? []
        : unknownNames(text, context.customVariables).map(({ kind, name }) =>
            problem(
              'W4',
              below(LOCALIZATIONS, locale, lid),
              `The ${kind} \`${name}\` is not known; SDKs show nothing.`,
            ),
          ),
    ),
  );

function hasDefaultPackage(checked: CheckedDocument): boolean {
  return checked.ofType('package').some(({ object }) => object.is_selected_by_default === true);
}

/** Texts about a product need a package: one around them, or one selected by default. */
const productless: ProblemRule = (checked) => {
  if (hasDefaultPackage(checked)) return [];
  const { texts = {} } = checked;
  return checked
    .valuesOf(textKeys)
    .filter(({ visit }) => !visit.around.some(({ object }) => object.type === 'package'))
    .filter(({ value }) => {
      const text = texts[value];
      return typeof text === 'string' && needsPackage(text);
    })
    .map(({ value, path }) =>
      problem('W4', path, `The text \`${value}\` needs a package, and none is selected by default.`),
    );
};

const foreignPeriods: ProblemRule = ({ localizations }) =>
  localizations
    .filter(([locale]) => !hasPeriodWords(locale))
    .map(([locale]) =>
      problem(
        'W6',
        below(LOCALIZATIONS, locale),
        `Words such as "monthly" are shown in English in ${locale}.`,
      ),
    );

export const textErrors: readonly ProblemRule[] = [missingTexts, missingDefaultLocale, badAddresses];
export const textWarnings: readonly ProblemRule[] = [
  untranslated,
  unknownVariables,
  productless,
  foreignPeriods,
];
