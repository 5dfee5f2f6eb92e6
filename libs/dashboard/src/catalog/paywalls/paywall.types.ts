import type { Schema } from '../../api/types.js';

export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;
export interface JsonObject {
  [name: string]: JsonValue;
}

export type Paywall = Schema<'PaywallDto'>;
export type PaywallContent = Schema<'PaywallContentDto'>;
export type PaywallProblem = Schema<'PaywallProblemDto'>;
export type PaywallVersion = Schema<'PaywallVersionDto'>;
export type PaywallTemplate = Schema<'PaywallTemplateDto'>;
export type PaywallSettings = Schema<'PaywallSettingsDto'>;
export type MediaAsset = Schema<'MediaAssetDto'>;

/** The files of an image, as documents store them. */
export interface ImageFiles extends JsonObject {
  width: number;
  height: number;
  original: string;
  heic: string;
  heic_low_res: string;
  webp: string;
  webp_low_res: string;
}

export interface ImageSource extends JsonObject {
  light: ImageFiles;
}

/** Texts and images by id, of one language. */
export type Localization = Record<string, string | ImageSource>;

/** The parts of a paywall that the editor changes. */
export interface PaywallDocument {
  default_locale: string;
  components_config: JsonObject;
  components_localizations: Record<string, Localization>;
  exit_offers?: JsonObject;
  state_declarations?: JsonObject;
  play_store_product_change_mode?: JsonObject;
}

/** Names and indexes from the document's root to a value. */
export type Path = readonly (string | number)[];

/** Returns the content to edit: the draft, otherwise the published version. */
export const contentOf = ({ components }: Paywall): PaywallContent | null =>
  components?.draft ?? components?.published ?? null;

export function documentOf(content: PaywallContent): PaywallDocument {
  const { exit_offers, state_declarations, play_store_product_change_mode } = content;
  return {
    default_locale: content.default_locale,
    components_config: content.components_config as JsonObject,
    components_localizations: content.components_localizations as PaywallDocument['components_localizations'],
    ...(exit_offers && { exit_offers: exit_offers as JsonObject }),
    ...(state_declarations && { state_declarations: state_declarations as JsonObject }),
    ...(play_store_product_change_mode && {
      play_store_product_change_mode: play_store_product_change_mode as JsonObject,
    }),
  };
}
