export { commissionBps, type CommissionTerms } from './commission.js';
export {
  type FetchedRates,
  isCurrency,
  isIsoCurrency,
  toUsdMicros,
  type UsdConversion,
  usdRate,
} from './fx.js';
export { divideRounded, MAX_AMOUNT_MICROS, MAX_PRICE_MICROS, microsToMajor, shareMicros } from './micros.js';
export { type MonetaryAmount, monetaryAmount } from './monetary-amount.js';
