import type { Schema } from '../../api/types.js';
import type { Currency } from '../catalog.types.js';

const MOST = 2_000_000_000;

/** A grant in the form. */
export interface GrantDraft {
  /** Identifies the grant while others are added and removed. */
  key: number;
  productIds: string[];
  amount: string;
  trialAmount: string;
  expires: boolean;
}

export interface CurrencyDraft {
  code: string;
  name: string;
  description: string;
  grants: GrantDraft[];
}

/** By the server's field names: `name`, `product_grants.0.amount`. */
export type Problems = Readonly<Record<string, string>>;

export function draftOf(currency: Currency | null): CurrencyDraft {
  return {
    code: currency?.code ?? '',
    name: currency?.name ?? '',
    description: currency?.description ?? '',
    grants: (currency?.product_grants ?? []).map((grant, key) => ({
      key,
      productIds: grant.product_ids,
      amount: String(grant.amount),
      trialAmount: String(grant.trial_amount),
      expires: grant.expire_at_cycle_end,
    })),
  };
}

export function emptyGrant(others: readonly GrantDraft[]): GrantDraft {
  const key = Math.max(-1, ...others.map((grant) => grant.key)) + 1;
  return { key, productIds: [], amount: '', trialAmount: '0', expires: false };
}

const numberOf = (typed: string): number => Number(typed.trim());

/** Sends grants only if they changed, because someone else may have changed them meanwhile. */
export function bodyOf(draft: CurrencyDraft, initial: CurrencyDraft): Schema<'UpdateVirtualCurrencyDto'> {
  const { name, description, grants } = draft;
  return {
    name,
    description: description.trim() === '' ? null : description,
    ...(JSON.stringify(grants) !== JSON.stringify(initial.grants) && {
      product_grants: grants.map(({ productIds, amount, trialAmount, expires }) => ({
        product_ids: productIds,
        amount: numberOf(amount),
        trial_amount: numberOf(trialAmount),
        expire_at_cycle_end: expires,
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

function wrongProducts(grants: readonly GrantDraft[], index: number): string | null {
  const { productIds } = grants[index]!;
  if (productIds.length === 0) return 'Choose at least one product.';
  const isElsewhere = grants
    .slice(0, index)
    .some((other) => productIds.some((id) => other.productIds.includes(id)));
  return isElsewhere ? 'One of these products is in a grant above already.' : null;
}

/** Validates before anything is sent. */
export function problemsIn({ code, name, grants }: CurrencyDraft, isNew: boolean): Problems {
  const found: [string, string | null][] = [
    ['code', isNew ? wrongCode(code) : null],
    ['name', name.trim() === '' ? 'Enter a name.' : null],
    ...grants.flatMap(({ amount, trialAmount }, index): [string, string | null][] => [
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
