export { commissionBps } from './commission.js';
export { isCurrency, toUsdMicros, type UsdConversion } from './fx.js';
export { microsToMajor } from './micros.js';
