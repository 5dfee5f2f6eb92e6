import { isDotSegment } from '../../../../libs/kernel/index.js';

export const reservedNames: readonly string[] = [
  '$ad',
  '$adGroup',
  '$adjustId',
  '$airbridgeDeviceId',
  '$airshipChannelId',
  '$amazonAdId',
  '$amplitudeDeviceId',
  '$amplitudeUserId',
  '$apnsTokens',
  '$appleAdsAdGroupId',
  '$appleAdsCampaignId',
  '$appleAdsKeywordId',
  '$appleRefundHandlingPreference',
  '$appsflyerId',
  '$appsflyerSharingFilter',
  '$appstackId',
  '$attConsentStatus',
  '$branchId',
  '$brazeAliasLabel',
  '$brazeAliasName',
  '$campaign',
  '$clevertapId',
  '$creative',
  '$customerioId',
  '$deviceVersion',
  '$displayName',
  '$email',
  '$fbAnonId',
  '$fcmTokens',
  '$firebaseAppInstanceId',
  '$googleRefundHandlingPreference',
  '$gpsAdId',
  '$androidId',
  '$idfa',
  '$idfv',
  '$ip',
  '$iterableCampaignId',
  '$iterableTemplateId',
  '$iterableUserId',
  '$keyword',
  '$kochavaDeviceId',
  '$mediaSource',
  '$mixpanelDistinctId',
  '$mparticleId',
  '$onesignalId',
  '$onesignalUserId',
  '$phoneNumber',
  '$posthogUserId',
  '$refundDataConsent',
  '$segmentId',
  '$solarEngineAccountId',
  '$solarEngineDistinctId',
  '$solarEngineVisitorId',
  '$telemetryDeckAppId',
  '$telemetryDeckUserId',
  '$tenjinId',
];
const reserved = new Set(reservedNames);

/** Properties of a device or a campaign never change, so later writes by the SDK are ignored. */
export const writeOnceNames: readonly string[] = [
  '$idfa',
  '$idfv',
  '$gpsAdId',
  '$androidId',
  '$ip',
  '$mediaSource',
  '$campaign',
  '$adGroup',
  '$ad',
  '$keyword',
  '$creative',
];
const writeOnce = new Set(writeOnceNames);

/** These affect refunds. Customers have the public key, so they must not override a backend's decision. */
export const backendNames: readonly string[] = [
  '$appleRefundHandlingPreference',
  '$googleRefundHandlingPreference',
  '$refundDataConsent',
];

/** Maximum number of custom attributes, and of deletion markers for them. */
export const MAX_CUSTOM_ATTRIBUTES = 50;

export function isReservedName(name: string): boolean {
  return reserved.has(name);
}

export function isWriteOnce(name: string): boolean {
  return writeOnce.has(name);
}

export function isBackendName(name: string): boolean {
  return backendNames.includes(name);
}

/** SDKs send names that apps chose long ago and reserved names of later versions: any short text without whitespace. */
const SDK_NAME = /^[^\s\p{C}\p{Z}]{1,40}$/u;
const CUSTOM_NAME = /^[a-zA-Z][a-zA-Z0-9_-]{0,39}$/;

export function isSdkName(name: string): boolean {
  return SDK_NAME.test(name) && !isDotSegment(name);
}

/** Backends may only use an existing reserved name or a plain custom name. */
export function isApiName(name: string): boolean {
  return isReservedName(name) || CUSTOM_NAME.test(name);
}
