export { clampChance, type Interval, type Lift } from './estimates.js';
export { liftOfMeans, type Mean, meanInterval, meanOf, meanWins } from './means.js';
export { liftOfRates, type Rate, rateInterval, rateOf, rateWins } from './rates.js';
export { sampleRatio, type SampleRatio } from './sample-ratio.js';
export { customersPerVariant } from './sample-size.js';
