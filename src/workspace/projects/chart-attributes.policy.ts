import { ApiError } from '../../platform/http/errors/api-error.js';

export const MAX_CHART_ATTRIBUTES = 5;
export const MAX_ATTRIBUTE_NAME = 40;

/** Reserved attributes with few distinct values. The others identify one customer or device. */
export const choosable: readonly string[] = [
  '$appleAdsCampaignId',
  '$appleAdsAdGroupId',
  '$appleAdsKeywordId',
  '$iterableCampaignId',
  '$iterableTemplateId',
  '$attConsentStatus',
];

/** Dimensions of every project. */
const always: readonly string[] = ['$mediaSource', '$campaign', '$adGroup', '$ad', '$keyword', '$creative'];

/** Valid names of custom attributes (`customers/attribute-names.ts`). */
const CUSTOM = /^[^\s\p{C}\p{Z}]{1,40}$/u;

function problemOf(name: string): string | null {
  const quoted = JSON.stringify(name);
  if (always.includes(name)) return `charts always have ${quoted}`;
  if (name.startsWith('$')) {
    return choosable.includes(name)
      ? null
      : `${quoted} is not a reserved attribute that charts can have; use ${choosable.join(', ')} or custom attributes`;
  }
  return CUSTOM.test(name) ? null : `${quoted} is not a name of an attribute`;
}

/** Removes duplicates and sorts, as the order has no meaning. @throws ApiError 400 */
export function readChartAttributes(names: readonly string[]): string[] {
  for (const name of names) {
    const problem = problemOf(name);
    if (problem !== null) throw ApiError.parameter('chart_attributes', `chart_attributes: ${problem}.`);
  }
  return [...new Set(names)].sort();
}
