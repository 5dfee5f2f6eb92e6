import type { JsonObject } from '../../kernel/index.js';
import names from './icon-names.json' with { type: 'json' };

/** Names of the icons that the server has, in alphabetical order. The build draws them. */
export const paywallIconNames: readonly string[] = names;

/** Path of the icons on the server, and of their list. */
export const PAYWALL_ICONS_PATH = '/paywall-icons';

/** File names by format. iOS reads PNG in place of HEIC, which the build cannot write. */
export function iconFormats(name: string): JsonObject {
  return { svg: `${name}.svg`, png: `${name}.png`, heic: `${name}.png`, webp: `${name}.webp` };
}
