import type { ErrorKind } from '../../platform/http/errors/api-error.js';

export type RefusedMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface RefusedOperation {
  method: RefusedMethod;
  /** Path below a project. */
  path: string;
  /** The vendor's operation id. */
  id: string;
  reason: string;
  /** `empty_list`: reading a nonexistent resource is not an error. */
  answer: 'empty_list' | Extract<ErrorKind, 'missing' | 'impossible'>;
}

type Row = readonly [method: RefusedMethod, path: string, id: string, answer?: RefusedOperation['answer']];

const withReason = (
  reason: string,
  answer: RefusedOperation['answer'],
  rows: readonly Row[],
): RefusedOperation[] =>
  rows.map(([method, path, id, own]) => ({ method, path, id, reason, answer: own ?? answer }));

/** Operations of the vendor's API that this server lacks. Clients receive the reason instead of "no route". */
export const refusedOperations: readonly RefusedOperation[] = [
  ...withReason('customers sign in with `POST /v1/auth/login`.', 'missing', [
    ['POST', 'apps/:app_id/authenticate', 'authenticate-app-user'],
  ]),
  ...withReason(
    'audiences are not part of this server; targeting rules have conditions instead.',
    'missing',
    [
      ['GET', 'audiences', 'list-audiences'],
      ['POST', 'audiences', 'create-audience'],
      ['POST', 'audiences/preview', 'preview-audience'],
      ['GET', 'audiences/:audience_id', 'get-audience'],
      ['POST', 'audiences/:audience_id', 'update-audience'],
      ['DELETE', 'audiences/:audience_id', 'delete-audience'],
    ],
  ),
  ...withReason(
    'benchmarks need the figures of many companies, and this server has only yours.',
    'impossible',
    [['GET', 'benchmarks', 'get-benchmarks']],
  ),
  ...withReason('the customer center and win-back offers are not part of this server.', 'missing', [
    ['POST', 'customers/:customer_id/actions/customer_center', 'perform-customer-center-action'],
    ['POST', 'customers/:customer_id/actions/win_back', 'win-back-customer'],
  ]),
  ...withReason('this server does not accept web payments; set up discounts in the store.', 'impossible', [
    ['GET', 'discounts', 'list-discounts', 'empty_list'],
    ['POST', 'discounts', 'create-discount'],
    ['GET', 'discounts/:discount_id', 'get-discount', 'missing'],
    ['POST', 'discounts/:discount_id', 'update-discount'],
    ['DELETE', 'discounts/:discount_id', 'delete-discount'],
    ['POST', 'discounts/:discount_id/actions/archive', 'archive-discount'],
    ['POST', 'discounts/:discount_id/actions/unarchive', 'unarchive-discount'],
    ['GET', 'discounts/:discount_id/discount_codes', 'list-discount-codes', 'empty_list'],
    ['POST', 'discounts/:discount_id/discount_codes', 'create-discount-codes'],
    ['GET', 'discounts/:discount_id/discount_codes/:code_id', 'get-discount-code', 'missing'],
    ['POST', 'discounts/:discount_id/discount_codes/:code_id', 'update-discount-code'],
    ['DELETE', 'discounts/:discount_id/discount_codes/:code_id', 'delete-discount-code'],
  ]),
  ...withReason('funnels are not part of this server.', 'missing', [
    ['GET', 'funnels', 'list-funnels'],
    ['POST', 'funnels', 'create-funnel'],
    ['GET', 'funnels/:funnel_id', 'get-funnel'],
    ['POST', 'funnels/:funnel_id', 'update-funnel'],
    ['DELETE', 'funnels/:funnel_id', 'delete-funnel'],
  ]),
  ...withReason('fonts are media assets that the settings of paywalls name.', 'impossible', [
    ['GET', 'fonts', 'list-fonts', 'empty_list'],
    ['POST', 'fonts', 'create-font'],
    ['GET', 'fonts/:font_id', 'get-font', 'missing'],
    ['DELETE', 'fonts/:font_id', 'delete-font'],
  ]),
  ...withReason('the list of versions holds them: `?expand=items.components`.', 'missing', [
    ['GET', 'paywalls/:paywall_id/versions/:version_id', 'get-paywall-version'],
  ]),
  ...withReason(
    'this server does not change products in the stores; use the console of the store.',
    'impossible',
    [
      ['POST', 'products/:product_id/actions/push', 'push-product'],
      ['GET', 'products/:product_id/store_state', 'get-product-store-state'],
      ['POST', 'products/:product_id/store_state', 'set-product-store-state'],
      ['POST', 'products/:product_id/store_state/screenshot_upload', 'upload-product-store-state-screenshot'],
      ['POST', 'products/:product_id/store_state/equalize_prices', 'equalize-product-store-state-prices'],
      ['GET', 'products/:product_id/store_state/:operation_id', 'get-product-store-state-operation'],
      ['GET', 'store_state/plans', 'list-product-store-state-plans'],
      ['POST', 'store_state/plans', 'create-product-store-state-plan'],
      ['GET', 'store_state/plans/:plan_id', 'get-product-store-state-plan'],
      ['PUT', 'store_state/plans/:plan_id', 'update-product-store-state-plan'],
      ['POST', 'store_state/plans/:plan_id/actions/plan', 'plan-product-store-state-plan'],
      ['POST', 'store_state/plans/:plan_id/actions/apply', 'apply-product-store-state-plan'],
      ['POST', 'store_state/plans/:plan_id/actions/discard', 'discard-product-store-state-plan'],
    ],
  ),
];
