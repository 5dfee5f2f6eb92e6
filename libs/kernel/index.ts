export { type Clock, ManualClock, systemClock } from './clock.js';
export {
  type IdKind,
  newEventId,
  newId,
  newPublicKeySecret,
  newScimToken,
  newSecretKey,
  newSqlPassword,
  newSqlRoleName,
  newToken,
  newWebhookSecret,
} from './ids.js';
export { fewRandomBytes } from './random.js';
export { addPeriods, isDatePeriod, parsePeriod, type Period } from './period.js';
export { alpha2Country, alpha3Country } from './country.js';
export { isDotSegment } from './dot-segment.js';
export { canonicalJson, isJsonObject, isSameJson, type JsonObject, type JsonValue } from './json.js';
export { parseJson, scanJson, type ScanLimits } from './json-scan.js';
export { isoSeconds, isoSecondsOrNull, isStoreTime, utcDay, utcDayMs, utcDays } from './time.js';
export { grouped } from './grouped.js';
export { within } from './within.js';
export { WorkerPool, WorkNotDone } from './worker-pool.js';
