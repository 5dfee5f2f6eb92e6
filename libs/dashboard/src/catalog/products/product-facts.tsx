import { useQuery } from '@tanstack/react-query';
import { AppName } from '../../frame/names/app-name.js';
import { DataText } from '../../ui/text/data-text.js';
import { useFormat } from '../../ui/format/format-context.js';
import { KeyValues } from '../../ui/key-values.js';
import { Money, Num } from '../../ui/format/money.js';
import { Panel } from '../../ui/panel.js';
import { formatPeriod } from '../../ui/format/period.js';
import { Time } from '../../ui/format/time.js';
import type { Product } from '../catalog.types.js';
import { productTypes } from './product-words.js';
import { productPricesQuery } from './products.queries.js';

/** A product's properties in its store and in the Test Store. */
export function ProductFacts({ projectId, product }: { projectId: string; product: Product }) {
  const { locale } = useFormat();
  const { indicative_price: price, subscription, active_subscriptions: active } = product;
  const { data: prices = [] } = useQuery({
    ...productPricesQuery(projectId, product.id),
    enabled: price !== null && price !== undefined,
  });
  const others = prices.filter(({ currency }) => currency !== price?.currency);
  const facts: [string, React.ReactNode][] = [
    ['Store identifier', <DataText mono>{product.store_identifier}</DataText>],
    ['App', <AppName projectId={projectId} appId={product.app_id} />],
    ['Type', productTypes[product.type]],
  ];
  if (price) facts.push(['Test price', <Money micros={price.amount_micros} currency={price.currency} />]);
  if (others.length > 0) {
    const amounts = others.map(({ amount_micros: micros, currency }) => (
      <Money key={currency} micros={micros} currency={currency} />
    ));
    facts.push(['In other currencies', <span className="flex flex-wrap gap-x-3">{amounts}</span>]);
  }
  if (subscription?.duration) facts.push(['Period', formatPeriod(locale, subscription.duration)]);
  if (subscription?.trial_duration)
    facts.push(['Free trial', formatPeriod(locale, subscription.trial_duration)]);
  if (active !== undefined) facts.push(['Active subscriptions', <Num value={active} />]);
  facts.push(['Created', <Time ms={product.created_at} />]);
  return (
    <Panel>
      <KeyValues items={facts} />
    </Panel>
  );
}
