import {
  type LineItem,
  microsOf,
  type PaddlePrice,
  type PaddleSubscription,
  type PaddleTransaction,
} from './paddle-objects.js';

/** Price of a whole period before discounts and taxes; null if Paddle does not show it. */
export function listMicros({ unit_price: unit }: PaddlePrice, quantity: number): number | null {
  return unit ? microsOf(unit.amount, unit.currency_code) * quantity : null;
}

const numberOf = (text: string | undefined): number => Number(text ?? NaN);

/** The ratio of cost to price, with taxes added on top and discounts in effect. */
export function factorOf(
  { totals }: LineItem,
  { isTaxOnTop, isDiscounted }: { isTaxOnTop: boolean; isDiscounted: boolean },
): number {
  const [subtotal, discount, tax] = [totals.subtotal, totals.discount ?? '0', totals.tax ?? '0'].map(
    numberOf,
  );
  if (subtotal === undefined || discount === undefined || tax === undefined || !(subtotal > 0)) return 1;
  const taxable = subtotal - discount;
  const discounted = isDiscounted ? taxable / subtotal : 1;
  return isTaxOnTop && taxable > 0 ? discounted * ((taxable + tax) / taxable) : discounted;
}

/** Whether taxes are added to a price, judging by a line that bills it whole. */
export function isTaxOnTop(line: LineItem, price: PaddlePrice, currency: string): boolean {
  const list = listMicros(price, line.quantity);
  const { subtotal } = line.totals;
  return list !== null && subtotal !== undefined && microsOf(subtotal, currency) === list;
}

/** The ratio of cost to price for a subscription, from the transaction that billed a whole period. */
export function usualFactor(
  transaction: PaddleTransaction | undefined,
  priceId: string | null,
  { discount }: PaddleSubscription,
): number {
  const line = transaction?.details?.line_items.find(
    (one) => one.price_id === priceId && (one.proration ?? null) === null,
  );
  const price = transaction?.items.find((one) => one.price.id === priceId)?.price;
  if (!transaction || !line || !price) return 1;
  const onTop = isTaxOnTop(line, price, transaction.currency_code);
  return factorOf(line, { isTaxOnTop: onTop, isDiscounted: (discount ?? null) !== null });
}
