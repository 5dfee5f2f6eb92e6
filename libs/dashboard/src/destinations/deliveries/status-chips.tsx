import { type DeliveryStatus, statusLabels } from '../../frame/deliveries/delivery.js';
import { chipClass } from '../../ui/forms/chip-select.js';

const statuses = Object.keys(statusLabels) as DeliveryStatus[];

interface StatusChipsProps {
  value: DeliveryStatus | undefined;
  onChange: (status: DeliveryStatus | undefined) => void;
}

/** Chooses the status of the deliveries that are listed. */
export function StatusChips({ value, onChange }: StatusChipsProps) {
  return (
    <div role="group" aria-label="Status" className="flex flex-wrap gap-1.5">
      {[undefined, ...statuses].map((status) => (
        <button
          key={status ?? 'all'}
          type="button"
          aria-pressed={status === value}
          onClick={() => onChange(status)}
          className={chipClass(status === value)}
        >
          {status === undefined ? 'All' : statusLabels[status]}
        </button>
      ))}
    </div>
  );
}
