import type { JsonObject, PaywallDocument } from '../paywall.types.js';

/** A package with the product that the preview shows. */
export interface PreviewPackage {
  identifier: string;
  title: string;
  type: 'subscription' | 'consumable' | 'non_consumable';
  /** ISO 8601; null for purchases without renewal. */
  period: string | null;
  trial: string | null;
  price: { amount_micros: number; currency: string };
}

/** Content of the frame. The editor posts all of it at each change. */
export interface PreviewContent {
  document: PaywallDocument;
  ui_config: Record<string, JsonObject>;
  packages: PreviewPackage[];
  locale: string;
  dark: boolean;
}

/** A report of the frame: that it listens, or the result of the last rendering. */
export type PreviewReport = { ready: true } | { error: string | null };

/** Reads a message of the frame, whose content is not trusted. */
export function reportOf(data: unknown): PreviewReport | null {
  if (typeof data !== 'object' || data === null) return null;
  if ('ready' in data && data.ready === true) return { ready: true };
  if (!('error' in data)) return null;
  const { error } = data;
  return typeof error === 'string' || error === null ? { error } : null;
}
