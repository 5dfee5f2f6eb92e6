import type { JsonObject } from '../paywall.types.js';

/** A color in light and, if it differs, in dark. */
export interface HexScheme {
  light: string;
  dark: string | null;
}

const hex = /^#[0-9A-Fa-f]{6}([0-9A-Fa-f]{2})?$/;

export const isHex = (text: string): boolean => hex.test(text);

const hexOf = (color: unknown): string | null => {
  const { type, value } = (color ?? {}) as JsonObject;
  return type === 'hex' && typeof value === 'string' ? value : null;
};

/** Null if a color of the scheme is a gradient. */
export function hexScheme({ light, dark }: Record<string, unknown>): HexScheme | null {
  const [first, second] = [hexOf(light), hexOf(dark)];
  if (first === null || (dark !== undefined && second === null)) return null;
  return { light: first, dark: second };
}

export const schemeOf = ({ light, dark }: HexScheme) => ({
  light: { type: 'hex', value: light },
  ...(dark !== null && { dark: { type: 'hex', value: dark } }),
});
