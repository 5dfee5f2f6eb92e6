import type { JsonObject } from '../../kernel/index.js';
import type { PaywallFont, PaywallSettings } from '../model.js';
import { periodTexts } from './period-texts.js';
import type { UiConfigItem } from './remote-config.js';

export type UiConfig = Record<UiConfigItem, JsonObject>;

function fontOf({ url, postScriptName, md5, family, weight, style }: PaywallFont): JsonObject {
  const font = { type: 'name', value: postScriptName, family, url, hash: md5, weight, style };
  return { ios: font, android: font, web: font };
}

/** Locales of published paywalls, and English, into which SDKs fall back. */
export function withEnglish(locales: readonly string[]): string[] {
  return [...new Set(['en_US', ...locales])].sort();
}

/** Configuration that all paywalls of a project share, in the form of the SDKs. */
export function uiConfig(settings: PaywallSettings, locales: readonly string[]): UiConfig {
  const fonts = Object.entries(settings.fonts).map(([alias, font]) => [alias, fontOf(font)]);
  return {
    app: { colors: settings.colors, fonts: Object.fromEntries(fonts) as JsonObject },
    localizations: Object.fromEntries(locales.map((locale) => [locale, periodTexts(locale)])),
    variable_config: { variable_compatibility_map: {}, function_compatibility_map: {} },
    custom_variables: settings.customVariables,
  };
}
