import type { Schema } from '../../api/types.js';
import type { Currency } from '../catalog.types.js';

const MOST = 2_000_000_000;

/** A grant in the form. */
export interface GrantValues {
  /** Identifies the grant while others are added and removed. */
  key: number;
  product_ids: string[];
  amount: string;
  trial_amount: string;
  expire_at_cycle_end: boolean;
}

export interface CurrencyValues {
  code: string;
  name: string;
  description: string;
  product_grants: GrantValues[];
}

/** By the server's field names: `name`, `product_grants.0.amount`. */
type Problems = Readonly<Record<string, string>>;

export function valuesOf(currency: Currency | null): CurrencyValues {
  return {
    code: currency?.code ?? '',
    name: currency?.name ?? '',
    description: currency?.description ?? '',
    product_grants: (currency?.product_grants ?? []).map((grant, key) => ({
      key,
      product_ids: grant.product_ids,
      amount: String(grant.amount),
      trial_amount: String(grant.trial_amount),
      expire_at_cycle_end: grant.expire_at_cycle_end,
    })),
  };
}

export function emptyGrant(others: readonly GrantValues[]): GrantValues {
  const key = Math.max(-1, ...others.map((grant) => grant.key)) + 1;
  return { key, product_ids: [], amount: '', trial_amount: '0', expire_at_cycle_end: false };
}

const numberOf = (typed: string): number => Number(typed.trim());

/** Sends grants only if they changed, because someone else may have changed them meanwhile. */
export function bodyOf(values: CurrencyValues, initial: CurrencyValues): Schema<'UpdateVirtualCurrencyDto'> {
  const { name, description, product_grants: grants } = values;
  return {
    name,
    description: description.trim() === '' ? null : description,
    ...(JSON.stringify(grants) !== JSON.stringify(initial.product_grants) && {
      product_grants: grants.map((grant) => ({
        product_ids: grant.product_ids,
        amount: numberOf(grant.amount),
        trial_amount: numberOf(grant.trial_amount),
        expire_at_cycle_end: grant.expire_at_cycle_end,
      })),
    }),
  };
}

function wrongCode(code: string): string | null {
  if (code.trim() === '') return 'Enter a code.';
  return /^\w+$/.test(code) ? null : 'A code has letters, digits and underscores only.';
}

const isAmount = (typed: string, least: number): boolean =>
  typed === '' ? least === 0 : /^\d{1,10}$/.test(typed) && Number(typed) >= least && Number(typed) <= MOST;

function wrongProducts(grants: readonly GrantValues[], index: number): string | null {
  const { product_ids: productIds } = grants[index]!;
  if (productIds.length === 0) return 'Choose at least one product.';
  const isElsewhere = grants
    .slice(0, index)
    .some((other) => productIds.some((id) => other.product_ids.includes(id)));
  return isElsewhere ? 'One of these products is already in a grant above.' : null;
}

/** Validates before anything is sent. */
export function problemsIn({ code, name, product_grants: grants }: CurrencyValues, isNew: boolean): Problems {
  const found: [string, string | null][] = [
    ['code', isNew ? wrongCode(code) : null],
    ['name', name.trim() === '' ? 'Enter a name.' : null],
    ...grants.flatMap(({ amount, trial_amount: trialAmount }, index): [string, string | null][] => [
      [`product_grants.${index}.product_ids`, wrongProducts(grants, index)],
      [
        `product_grants.${index}.amount`,
        isAmount(amount.trim(), 1) ? null : `Enter a whole number from ${1} to 2,000,000,000.`,
      ],
      [
        `product_grants.${index}.trial_amount`,
        isAmount(trialAmount.trim(), 0) ? null : `Enter a whole number from ${0} to 2,000,000,000.`,
      ],
    ]),
  ];
  return Object.fromEntries(found.filter((entry): entry is [string, string] => entry[1] !== null));
}
