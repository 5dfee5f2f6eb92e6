import { periodTexts } from '../../../../../paywalls/wire/period-texts.js';
import type { JsonObject, MediaAsset, PaywallSettings } from '../paywall.types.js';
import type { SettingsFont } from '../settings/settings-font.js';

function webFont({ family, weight, style }: SettingsFont, url: string): JsonObject {
  const font = { type: 'name', value: family, family, url, hash: '', weight, style };
  return { ios: font, android: font, web: font };
}

/** The configuration that all paywalls share, in the form of the SDKs. */
export function previewConfig(
  settings: PaywallSettings,
  assets: readonly MediaAsset[],
  locales: readonly string[],
): Record<string, JsonObject> {
  const urls = new Map(assets.map(({ id, formats }) => [id, formats.original]));
  const fonts = Object.entries(settings.fonts as Record<string, SettingsFont>).flatMap(([name, font]) => {
    const url = urls.get(font.media_asset_id);
    return url === undefined ? [] : [[name, webFont(font, url)] as const];
  });
  return {
    app: { colors: settings.colors as JsonObject, fonts: Object.fromEntries(fonts) },
    localizations: Object.fromEntries(['en_US', ...locales].map((locale) => [locale, periodTexts(locale)])),
    variable_config: { variable_compatibility_map: {}, function_compatibility_map: {} },
    custom_variables: settings.custom_variables as JsonObject,
  };
}
