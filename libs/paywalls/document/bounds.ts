import { isJsonObject } from '../../kernel/index.js';
import { below } from './pointer.js';
import { visits } from './visits.js';

const MAX_BYTES = 256 * 1024;
const MAX_DEPTH = 60;
const MAX_COMPONENTS = 1_000;
const MAX_LOCALES = 60;
const MAX_TEXTS = 1_000;
const MAX_TEXT_LENGTH = 5_000;

const forbiddenNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
/** All control characters except newline. */
const controlCharacter = /[\u0000-\u0009\u000b-\u001f\u007f]/;

/** A bound that a document breaks. It is not saved. */
export interface BrokenBound {
  /** Field of the document. */
  field: string;
  message: string;
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let deepest = 0;
  for (const part of Object.values(value)) deepest = Math.max(deepest, depthOf(part));
  return deepest + 1;
}

/** Names with a meaning in JavaScript, and what the database cannot store. */
function forbiddenPart(value: unknown): string | undefined {
  if (typeof value === 'string') return value.includes('\0') ? 'NUL characters are not allowed.' : undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'A number is too large.';
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, part] of Object.entries(value)) {
    if (forbiddenNames.has(key)) return `The name ${key} is not allowed.`;
    const problem = forbiddenPart(key) ?? forbiddenPart(part);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function brokenText(localizations: unknown): string | undefined {
  if (!isJsonObject(localizations)) return undefined;
  const locales = Object.entries(localizations);
  if (locales.length > MAX_LOCALES) return `There may be at most ${MAX_LOCALES} locales.`;
  for (const [locale, texts] of locales) {
    if (!isJsonObject(texts)) continue;
    const entries = Object.entries(texts);
    if (entries.length > MAX_TEXTS) return `${locale} may have at most ${MAX_TEXTS} texts.`;
    for (const [lid, text] of entries) {
      if (typeof text !== 'string') continue;
      const place = below('', locale, lid).slice(1);
      if (text.length > MAX_TEXT_LENGTH) return `${place} may have at most ${MAX_TEXT_LENGTH} characters.`;
      if (controlCharacter.test(text)) return `${place} may have no control characters except newline.`;
    }
  }
  return undefined;
}

function countComponents(config: unknown): number {
  let count = 0;
  for (const { isComponent } of visits(config, '')) if (isComponent) count++;
  return count;
}

/** The first bound that a document breaks. Its JSON text has at most 64 levels, which the body reader has checked. */
export function brokenBound(document: object): BrokenBound | null {
  const sizes = Object.entries(document).map(([field, value]) => ({
    field,
    bytes: Buffer.byteLength(JSON.stringify(value) ?? ''),
  }));
  const total = sizes.reduce((sum, { field, bytes }) => sum + field.length + bytes + 4, 1);
  if (total > MAX_BYTES) {
    const largest = sizes.reduce((a, b) => (b.bytes > a.bytes ? b : a));
    return { field: largest.field, message: `A paywall may have at most ${MAX_BYTES / 1024} KiB of JSON.` };
  }
  for (const [field, value] of Object.entries(document as Record<string, unknown>)) {
    const message = forbiddenPart({ [field]: value });
    if (message !== undefined) return { field, message };
    if (depthOf(value) + 1 > MAX_DEPTH)
      return { field, message: `A paywall may nest at most ${MAX_DEPTH} levels.` };
  }
  const { components_config: config, components_localizations: localizations } = document as Record<
    string,
    unknown
  >;
  if (countComponents(config) > MAX_COMPONENTS)
    return {
      field: 'components_config',
      message: `A paywall may have at most ${MAX_COMPONENTS} components.`,
    };
  const message = brokenText(localizations);
  return message === undefined ? null : { field: 'components_localizations', message };
}
