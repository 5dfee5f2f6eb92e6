import { gzipSync } from 'node:zlib';
import { isJsonObject } from '../../kernel/index.js';
import { textOf } from '../document/text-of.js';
import { type PaywallProblem, problem } from '../model.js';
import { below } from '../document/pointer.js';
import type { CheckedDocument, ProblemRule } from './context.js';
import { visits } from '../document/visits.js';

/** Fonts that the platforms have. */
const builtInFonts: ReadonlySet<string> = new Set(['sans-serif', 'serif', 'monospace']);
const fontKeys: ReadonlySet<string> = new Set(['font_name', 'placeholder_font_name']);
const MAX_COMPRESSED_BYTES = 64 * 1024;

const unknownPackages: ProblemRule = ({ visits: all, context: { offering } }) =>
  all.flatMap(({ object, path, isComponent }): PaywallProblem[] => {
    const unknown = (value: unknown, place: string): PaywallProblem[] =>
      typeof value === 'string' && !offering.packages.has(value)
        ? [problem('E7', place, `The offering has no package \`${value}\`.`)]
        : [];
    if (isComponent && object.type === 'package')
      return unknown(object.package_id, below(path, 'package_id'));
    if (object.type !== 'selected_package_condition' || !Array.isArray(object.packages)) return [];
    return object.packages.flatMap((id, index) => unknown(id, below(path, 'packages', index)));
  });

const unknownColors: ProblemRule = ({ visits: all, context: { colors } }) =>
  all
    .filter(({ object }) => object.type === 'alias' && !colors.has(textOf(object.value)))
    .map(({ object, path }) =>
      problem('E10', below(path, 'value'), `There is no color \`${textOf(object.value)}\`.`),
    );

const unknownFonts: ProblemRule = (checked) =>
  checked
    .valuesOf(fontKeys)
    .filter(({ value }) => !builtInFonts.has(value) && !checked.context.fonts.has(value))
    .map(({ value, path }) => problem('E10', path, `There is no font \`${value}\`.`));

const badExitOffer: ProblemRule = ({ document, context: { activeOfferings, offering } }) => {
  const { exit_offers: exit } = document;
  const id = isJsonObject(exit) && isJsonObject(exit.dismiss) ? exit.dismiss.offering_id : undefined;
  if (typeof id !== 'string') return [];
  const path = '/exit_offers/dismiss/offering_id';
  if (id === offering.lookupKey) return [problem('E11', path, 'The exit offer must be another offering.')];
  return activeOfferings.has(id) ? [] : [problem('E11', path, `There is no active offering \`${id}\`.`)];
};

const unknownNames: ProblemRule = ({ visits: all, document, context: { customVariables } }) => {
  const states = new Set(Object.keys(document.state_declarations ?? {}));
  return all.flatMap(({ object, path, key }) => {
    if (object.type === 'state_condition' && !states.has(textOf(object.name)))
      return [problem('E13', below(path, 'name'), `There is no state \`${textOf(object.name)}\`.`)];
    if (key === 'state_updates' && !states.has(textOf(object.set)))
      return [problem('E13', below(path, 'set'), `There is no state \`${textOf(object.set)}\`.`)];
    if (object.type === 'variable_condition' && !customVariables.has(textOf(object.variable)))
      return [
        problem('E13', below(path, 'variable'), `There is no variable \`${textOf(object.variable)}\`.`),
      ];
    return [];
  });
};

const addressKeys: ReadonlySet<string> = new Set([
  'original',
  'heic',
  'heic_low_res',
  'webp',
  'webp_low_res',
  'url',
  'url_low_res',
  'base_url',
]);

/** Addresses of images, icons, videos and web views, those of localized images included. */
function addresses({ visits: all, document }: CheckedDocument): { value: string; path: string }[] {
  const texts = Object.entries(document.components_localizations);
  const images = texts.flatMap(([locale, byLid]) =>
    Object.entries(byLid).flatMap(([lid, text]) => [
      ...visits(text, below('/components_localizations', locale, lid)),
    ]),
  );
  return [...all, ...images].flatMap(({ object, path }) =>
    Object.entries(object).flatMap(([key, value]) =>
      addressKeys.has(key) && typeof value === 'string' ? [{ value, path: below(path, key) }] : [],
    ),
  );
}

const missingImages: ProblemRule = (checked) => {
  const { serverUrl, projectUrl, refs } = checked.context.images;
  const isMissing = (address: string): boolean =>
    !address.startsWith(`${projectUrl}/`) || !refs.has(address.slice(projectUrl.length + 1));
  return addresses(checked)
    .filter(({ value }) => value.startsWith(serverUrl) && isMissing(value))
    .map(({ path }) => problem('E12', path, 'This image was deleted.'));
};

const plainHttp: ProblemRule = (checked) =>
  checked.context.isProduction
    ? addresses(checked)
        .filter(({ value }) => value.startsWith('http:'))
        .map(({ path }) => problem('E14', path, 'Apps refuse plain http.'))
    : [];

const pastCountdowns: ProblemRule = (checked) =>
  checked.ofType('countdown').flatMap(({ object: { style }, path }) => {
    const date = isJsonObject(style) ? Date.parse(textOf(style.date)) : Number.NaN;
    return date > checked.context.nowMs
      ? []
      : [problem('W3', below(path, 'style', 'date'), 'The date of this countdown is past.')];
  });

const tooLarge: ProblemRule = ({ document }) => {
  const text = JSON.stringify(document);
  return text.length > MAX_COMPRESSED_BYTES && gzipSync(text).length > MAX_COMPRESSED_BYTES
    ? [problem('W9', '', 'This paywall has more than 64 KiB when compressed; it loads slowly.')]
    : [];
};

export const referenceErrors: readonly ProblemRule[] = [
  unknownPackages,
  unknownColors,
  unknownFonts,
  badExitOffer,
  missingImages,
  unknownNames,
  plainHttp,
];
export const referenceWarnings: readonly ProblemRule[] = [pastCountdowns, tooLarge];
