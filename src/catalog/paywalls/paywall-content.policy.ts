import type { JsonObject, JsonValue } from '../../../libs/kernel/index.js';
import { brokenBound, toStored } from '../../../libs/paywalls/index.js';
import { ApiError } from '../../platform/http/errors/api-error.js';
import type { Paywall } from './paywall.entity.js';

/** Fields of a document that clients change. */
export const contentFields = [
  'default_locale',
  'components_config',
  'components_localizations',
  'exit_offers',
  'state_declarations',
  'play_store_product_change_mode',
  'automatically_scale_font_size',
] as const;

export type ContentChanges = { [Field in (typeof contentFields)[number]]?: unknown };

/**
 * The stored form of a document after a change. A field that is sent replaces that field; null removes it.
 * @throws ApiError 400 naming a field that breaks a bound
 */
export function changedContent(present: JsonObject, changes: ContentChanges, publicUrl: string): JsonObject {
  const next = { ...present };
  for (const field of contentFields) {
    const value = changes[field];
    if (value === null) delete next[field];
    else if (value !== undefined) next[field] = value as JsonValue;
  }
  const broken = brokenBound(next);
  if (broken) throw ApiError.parameter(broken.field, broken.message);
  return toStored(next, publicUrl);
}

export function scalesFontSize({ automatically_scale_font_size: scales }: JsonObject): boolean {
  return scales !== false;
}

type Revisions = Pick<Paywall, 'draft' | 'revision' | 'publishedRevision'>;

/** The revision that a change must name: that of the draft, otherwise of the published version. */
export function presentRevision({ draft, revision, publishedRevision }: Revisions): number {
  return draft === null ? (publishedRevision ?? revision) : revision;
}

/** @throws ApiError 409 for the revision of an earlier state */
export function assertRevision(paywall: Revisions, asked: number): void {
  const present = presentRevision(paywall);
  if (asked !== present)
    throw new ApiError('conflict', `Someone else changed this paywall: its revision is now ${present}.`);
}

type Unpublished = Pick<Paywall, 'draft' | 'offeringId' | 'publishedOfferingId'>;

/** Whether SDKs receive everything that was saved. */
export function isFullyPublished({ draft, offeringId, publishedOfferingId }: Unpublished): boolean {
  return draft === null && offeringId === publishedOfferingId;
}

/** Why an offering is not free. */
export function takenBy({ id, name }: Pick<Paywall, 'id' | 'name'>): string {
  return `The offering already has the paywall ${JSON.stringify(name)} (${id}).`;
}
