import type { Settings } from '../definition.js';
import type { SettingSchema, SettingsSchema } from './settings-schema.js';

export const MASK = '[masked]';

function secretsIn(schema: SettingSchema | SettingsSchema, value: unknown): string[] {
  if (typeof value === 'string') return 'writeOnly' in schema && schema.writeOnly ? [value] : [];
  if (!('properties' in schema) || typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const own = Object.hasOwn(schema.properties, name)
      ? schema.properties[name]
      : schema.additionalProperties;
    return own ? secretsIn(own, inner) : [];
  });
}

const PLACEHOLDERS = /\{\{[^{}]*\}\}/;

/** The values of all secrets. A template counts with its fixed parts, because requests contain it filled in. */
export function secretsOf(schema: SettingsSchema, settings: Settings): string[] {
  return secretsIn(schema, settings).flatMap((secret) => secret.split(PLACEHOLDERS));
}

/**
 * What any base64 text contains if it encodes a text with the secret: its position decides between three forms, of which
 * the characters that also encode neighbours are cut off.
 */
function base64Forms(secret: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
    const whole = Math.floor((bytes.length * 8) / 6);
    const form = bytes.toString('base64').slice(Math.ceil((before * 8) / 6), whole);
    return [form, form.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** The secret as URL, form, and JSON contain it. */
function plainForms(secret: string): string[] {
  const form = new URLSearchParams({ '': secret }).toString().slice(1);
  const json = JSON.stringify(secret).slice(1, -1);
  return [secret, encodeURIComponent(secret), form, json];
}

/** A text that reveals a secret, and what is shown instead. */
interface Form {
  text: string;
  shown: string;
  /** Its neighbours in a base64 text hold a few bits of the secret, so they are masked with it. */
  isEncoded?: boolean;
}

const formsOf = (secret: string): Form[] => [
  ...plainForms(secret).map((text) => ({ text, shown: MASK })),
  ...base64Forms(secret).map((text) => ({ text, shown: MASK, isEncoded: true })),
];

/** The host of a secret address is public. Its last segment is the token, which an answer may repeat alone. */
function formsOfUrl(secret: string): Form[] {
  if (!URL.canParse(secret)) return [];
  const { origin, pathname, search } = new URL(secret);
  if (pathname.length < 2) return [];
  const token = pathname.split('/').at(-1) ?? '';
  return [
    ...formsOf(`${origin}${pathname}${search}`).map((form) => ({ ...form, shown: `${origin}/…` })),
    { text: pathname, shown: '/…' },
    ...formsOf(token),
  ];
}

const SHORTEST = 4;

/** Finds a form; characters of base64 have no meaning in a pattern, except `+`. */
const patternOf = ({ text, isEncoded }: Form): string | RegExp =>
  isEncoded ? new RegExp(`[\\w+/-]?${text.replaceAll('+', '\\+')}[\\w+/-]?`, 'g') : text;

/** Replaces every secret of the settings, in all forms, because a tool may repeat what it received. */
export function maskerOf(secrets: readonly string[]): (text: string) => string {
  const forms = secrets.flatMap((secret) => [...formsOf(secret), ...formsOfUrl(secret)]);
  const masks = [...new Map(forms.map((form) => [form.text, form])).values()]
    .filter((form) => form.text.length >= SHORTEST)
    .sort((a, b) => b.text.length - a.text.length)
    .map((form) => ({ pattern: patternOf(form), shown: form.shown }));
  return (text) => masks.reduce((masked, { pattern, shown }) => masked.replaceAll(pattern, shown), text);
}

/** Masks one text. Several texts with the same secrets share a masker. */
export const maskSecrets = (text: string, secrets: readonly string[]): string => maskerOf(secrets)(text);
