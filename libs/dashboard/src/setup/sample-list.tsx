import { formatMoney, fromMicros } from '../ui/format/format-money.js';
import { useFormat } from '../ui/format/format-context.js';
import { Icon } from '../ui/icons.js';
import { Spinner } from '../ui/progress.js';
import { sample, type SampleStep, sampleSteps } from './sample-catalog.js';

const productText = (id: string, price: string, period: string) => `Product ${id}, ${price} ${period}`;

function labelsIn(locale: string): Record<SampleStep, string> {
  const product = ({
    store_identifier: id,
    test_store_price: price,
  }: (typeof sample)['monthly' | 'yearly']) =>
    [id, formatMoney(locale, fromMicros(price.amount_micros), price.currency)] as const;
  const { entitlement, monthly, yearly, offering, monthlyPackage, yearlyPackage } = sample;

  return {
    entitlement: `Entitlement ${entitlement.lookup_key}`,
    monthly: productText(...product(monthly), 'a month'),
    yearly: productText(...product(yearly), 'a year'),
    unlock: `Both products unlock ${entitlement.lookup_key}`,
    offering: `Offering ${offering.lookup_key}`,
    monthlyPackage: `Package ${monthlyPackage.lookup_key}`,
    monthlyInPackage: `${monthly.store_identifier} in package ${monthlyPackage.lookup_key}`,
    yearlyPackage: `Package ${yearlyPackage.lookup_key}`,
    yearlyInPackage: `${yearly.store_identifier} in package ${yearlyPackage.lookup_key}`,
  };
}

interface SampleListProps {
  done: ReadonlySet<SampleStep>;
  /** The running or failed call. */
  step: SampleStep | null;
  isFailed: boolean;
}

/** The calls of the sample, each with its result. */
export function SampleList({ done, step, isFailed }: SampleListProps) {
  const { locale } = useFormat();
  const labels = labelsIn(locale);
  return (
    <ul className="grid gap-x-6 gap-y-1 sm:grid-flow-col sm:grid-cols-2 sm:grid-rows-5">
      {sampleSteps.map((id) => (
        <li key={id} className="flex min-h-6 items-center gap-2">
          <Mark isDone={done.has(id)} isAt={id === step} isFailed={isFailed} />
          <span className={done.has(id) ? undefined : 'text-muted'}>{labels[id]}</span>
        </li>
      ))}
    </ul>
  );
}

function Mark({ isDone, isAt, isFailed }: { isDone: boolean; isAt: boolean; isFailed: boolean }) {
  if (isDone) return <Icon name="check" label="exists" className="text-good" />;
  if (isAt && isFailed) return <Icon name="error" label="failed" className="text-bad" />;
  const word = isAt ? 'being made' : 'not created yet';
  return (
    <span className="flex size-4 shrink-0 items-center justify-center text-muted">
      {isAt ? <Spinner /> : <span aria-hidden="true" className="size-1.5 rounded-full bg-edge" />}
      <span className="sr-only">{word}</span>
    </span>
  );
}
