export * from './generated/index.js';
export * from './generated/aliases.js';
export { createTenure, type TenureClient, type TenureOptions } from './create-tenure.js';
export { type ItemOf, type ListOptions, paginate } from './paginate.js';
export { TenureError } from './tenure-error.js';
export type { ApiKey } from './transport.js';
