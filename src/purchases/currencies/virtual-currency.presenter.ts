import type { ProductGrantDto, VirtualCurrencyDto } from './virtual-currency.dto.js';
import type { VirtualCurrency, VirtualCurrencyGrant } from './virtual-currency.entity.js';

export function presentGrants(rows: VirtualCurrencyGrant[]): ProductGrantDto[] | null {
  const byPosition = new Map<number, ProductGrantDto>();
  for (const { position, productId, amount, trialAmount, expireAtCycleEnd } of rows) {
    const grant = byPosition.get(position) ?? {
      object: 'virtual_currency.product_grant',
      product_ids: [],
      amount,
      trial_amount: trialAmount,
      expire_at_cycle_end: expireAtCycleEnd,
    };
    grant.product_ids.push(productId);
    byPosition.set(position, grant);
  }
  return byPosition.size > 0 ? [...byPosition.values()] : null;
}

export function presentVirtualCurrency(
  { projectId, code, name, description, state, createdAt }: VirtualCurrency,
  grants: VirtualCurrencyGrant[],
): VirtualCurrencyDto {
  return {
    object: 'virtual_currency',
    project_id: projectId,
    code,
    name,
    description,
    state,
    created_at: createdAt.getTime(),
    product_grants: presentGrants(grants),
  };
}
