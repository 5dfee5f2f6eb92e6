import { type AttributeColumn, isAttributeColumn } from './attribute-dimensions.js';

/** Columns of `chart_dims` that describe a purchase. Their order is part of the ids, so only append. */
export const purchaseColumns = [
  'app_id',
  'store',
  'product_id',
  'product_duration',
  'channel',
  'country',
  'offering_identifier',
  'subscription_type',
  'transaction_type',
  'offer_type',
  'offer',
  'renewal_cycle',
  'placement',
  'targeting_rule',
  'experiment',
  'experiment_variant',
] as const;

/** Columns of `chart_dims` that describe a customer, in the order of the ids. */
export const customerColumns = [
  'customer_country',
  'platform',
  'app_version',
  'media_source',
  'campaign',
  'ad_group',
  'ad',
  'keyword',
  'creative',
  'install_month',
  'first_purchase_month',
] as const;

export type PurchaseColumn = (typeof purchaseColumns)[number];
export type CustomerColumn = (typeof customerColumns)[number];
/** Dimensions of a question: columns of `chart_dims`, attributes that the project chose, or the paywall of a view. */
export type DimensionColumn = PurchaseColumn | CustomerColumn | AttributeColumn | 'paywall';

export const allColumns: readonly (PurchaseColumn | CustomerColumn)[] = [
  ...purchaseColumns,
  ...customerColumns,
];

export function isCustomerColumn(column: DimensionColumn): column is CustomerColumn | AttributeColumn {
  return isAttributeColumn(column) || (customerColumns as readonly string[]).includes(column);
}

export interface Dimension {
  id: string;
  name: string;
  group: string;
  kind: 'purchase' | 'customer' | 'view';
  column: DimensionColumn;
  /** All permitted values; null permits any. */
  values: readonly string[] | null;
  filters: boolean;
}

const stores = [
  'app_store',
  'mac_app_store',
  'play_store',
  'amazon',
  'stripe',
  'rc_billing',
  'roku',
  'paddle',
  'test_store',
];

function purchase(
  column: PurchaseColumn,
  name: string,
  values: readonly string[] | null = null,
  group = 'Purchase',
): Dimension {
  return { id: column, name, group, kind: 'purchase', column, values, filters: true };
}

function customer(id: string, name: string, group: string, column: CustomerColumn): Dimension {
  return { id, name, group, kind: 'customer', column, values: null, filters: true };
}

/** Sorted as in the chart options. */
export const dimensions: readonly Dimension[] = [
  purchase('app_id', 'App'),
  purchase('store', 'Store', stores),
  purchase('product_id', 'Product'),
  purchase('product_duration', 'Product duration'),
  purchase('country', 'Country', null, 'Geography'),
  purchase('offering_identifier', 'Offering'),
  purchase('placement', 'Placement', null, 'Targeting'),
  purchase('targeting_rule', 'Targeting rule', null, 'Targeting'),
  purchase('experiment', 'Experiment', null, 'Targeting'),
  purchase('experiment_variant', 'Experiment variant', null, 'Targeting'),
  purchase('subscription_type', 'Subscription type', ['new', 'product_change', 'resubscription']),
  purchase('transaction_type', 'Transaction type', ['New', 'Renewal']),
  purchase('channel', 'Channel', ['Subscriptions', 'Non-subscription']),
  purchase('offer_type', 'Offer type', [
    'free_trial',
    'introductory_offer',
    'offer_code',
    'promotional_offer',
    'win_back_offer',
    'unspecified_offer',
    'no_offer',
  ]),
  purchase('offer', 'Offer'),
  purchase('renewal_cycle', 'Renewal cycle', ['trial', '1', '2', '3', '4', '5+', 'non_subscription']),
  {
    ...customer('first_purchase_month', 'First purchase month', 'Customer', 'first_purchase_month'),
    filters: false,
  },
  { ...customer('install_month', 'Install month', 'Customer', 'install_month'), filters: false },
  customer('platform', 'Platform', 'Customer', 'platform'),
  customer('app_version', 'App version', 'Customer', 'app_version'),
  customer('media_source', 'Media source', 'Attribution', 'media_source'),
  customer('campaign', 'Campaign', 'Attribution', 'campaign'),
  customer('ad_group', 'Ad group', 'Attribution', 'ad_group'),
  customer('ad', 'Ad', 'Attribution', 'ad'),
  customer('keyword', 'Keyword', 'Attribution', 'keyword'),
  customer('creative', 'Creative', 'Attribution', 'creative'),
];

/** The country dimension of charts of customers. */
export const customerCountry: Dimension = {
  id: 'country',
  name: 'Country',
  group: 'Geography',
  kind: 'customer',
  column: 'customer_country',
  values: null,
  filters: true,
};

/** The dimension of charts of paywalls. A customer can have seen several. */
export const paywall: Dimension = {
  id: 'paywall',
  name: 'Paywall',
  group: 'Paywall',
  kind: 'view',
  column: 'paywall',
  values: null,
  filters: true,
};

/** Aliases that clients use. */
export const dimensionAliases: Readonly<Record<string, string>> = { attribution_source: 'media_source' };

export interface Level {
  id: string;
  columns: readonly DimensionColumn[];
}

const coarse: readonly DimensionColumn[] = ['app_id', 'store', 'product_id', 'product_duration', 'channel'];

const single: readonly DimensionColumn[] = [
  'country',
  'offering_identifier',
  'subscription_type',
  'transaction_type',
  'offer_type',
  'offer',
  'renewal_cycle',
  'platform',
  'first_purchase_month',
  'install_month',
];

/** Sums of days are stored once per level. The first level with all dimensions of a question answers it. */
export const levels: readonly Level[] = [
  { id: 'all', columns: [] },
  ...single.map((column) => ({ id: column, columns: [column] })),
  { id: 'coarse', columns: coarse },
  ...single.map((column) => ({ id: `coarse+${column}`, columns: [...coarse, column] })),
  { id: 'fine', columns: [...purchaseColumns, 'platform'] },
];

/** Returns null if no stored level has all columns. */
export function levelOf(needed: readonly DimensionColumn[]): Level | null {
  return levels.find(({ columns }) => needed.every((column) => columns.includes(column))) ?? null;
}
