import { Num } from '../../ui/format/money.js';
import { COUNT_LIMIT, deliveredShare } from './delivery-counts.js';

interface DeliveredShareProps {
  state: { delivered_24h: number; failed_24h: number } | undefined;
}

/** Share of deliveries in the last 24 hours that succeeded. */
export function DeliveredShare({ state }: DeliveredShareProps) {
  if (!state) return null;
  const share = deliveredShare(state);
  if (share === null) return <span className="text-muted">None sent</span>;
  return <Num value={share} percent />;
}

/** A number that is counted up to a limit. */
export function CappedCount({ value }: { value: number | undefined }) {
  if (value === undefined) return null;
  return value < COUNT_LIMIT ? (
    <Num value={value} />
  ) : (
    <span className="whitespace-nowrap">{`${COUNT_LIMIT.toLocaleString()} or more`}</span>
  );
}
