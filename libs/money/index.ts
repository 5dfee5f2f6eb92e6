export { commissionBps, type CommissionTerms } from './commission.js';
export { isCurrency, toUsdMicros, type UsdConversion } from './fx.js';
export { microsToMajor, shareMicros } from './micros.js';
export { type MonetaryAmount, monetaryAmount } from './monetary-amount.js';
