import { statusLabels } from '../../frame/deliveries/delivery.js';
import { DeliveryFilterBar } from '../../frame/deliveries/delivery-filter-bar.js';
import { SelectField } from '../../ui/forms/select-field.js';
import type { DeliveryFilter, DeliveryStatus } from '../webhooks.queries.js';

const statuses: DeliveryStatus[] = ['pending', 'delivered', 'failed'];

interface DeliveryFiltersProps {
  filter: DeliveryFilter;
  onChange: (changes: Partial<DeliveryFilter>) => void;
}

/** Filters of the deliveries, stored in the address. */
export function DeliveryFilters({ filter, onChange }: DeliveryFiltersProps) {
  return (
    <DeliveryFilterBar filter={filter} onChange={onChange} className="border-b border-line px-4 py-2">
      <SelectField
        label="Status"
        labelHidden
        size="sm"
        placeholder="Any status"
        value={filter.status ?? ''}
        onChange={({ target }) =>
          onChange({ status: (target.value || undefined) as DeliveryStatus | undefined })
        }
        options={statuses.map((value) => ({ value, label: statusLabels[value] }))}
      />
    </DeliveryFilterBar>
  );
}
