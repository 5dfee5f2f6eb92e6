import { eventTypes, typeName } from '../../api/event-types.js';
import { FilterBar, setCount } from '../../ui/lists/filter-bar.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { type Period, periodLabels, periods } from '../../frame/deliveries/period.js';
import type { DeliveryFilter, DeliveryStatus } from '../webhooks.queries.js';
import { OnlyFilter } from '../../frame/deliveries/only-filter.js';
import { statusLabels } from '../../frame/deliveries/delivery.js';

const statuses: DeliveryStatus[] = ['pending', 'delivered', 'failed'];

interface DeliveryFiltersProps {
  filter: DeliveryFilter;
  onChange: (changes: Partial<DeliveryFilter>) => void;
}

/** Filters of the deliveries, stored in the address. */
export function DeliveryFilters({ filter, onChange }: DeliveryFiltersProps) {
  return (
    <FilterBar count={setCount(filter)} className="border-b border-line px-4 py-2">
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
      <SelectField
        label="Type"
        labelHidden
        size="sm"
        placeholder="Any type"
        value={filter.type?.toLowerCase() ?? ''}
        onChange={({ target }) => onChange({ type: target.value || undefined })}
        options={eventTypes.map((type) => ({ value: type, label: typeName(type) }))}
      />
      <SelectField
        label="Period"
        labelHidden
        size="sm"
        placeholder="Any time"
        value={filter.period ?? ''}
        onChange={({ target }) => onChange({ period: (target.value || undefined) as Period | undefined })}
        options={periods.map((value) => ({ value, label: periodLabels[value] }))}
      />
      {filter.event !== undefined && (
        <OnlyFilter what={`Event ${filter.event}`} onRemove={() => onChange({ event: undefined })} />
      )}
      {filter.replay !== undefined && (
        <OnlyFilter what={`Replay ${filter.replay}`} onRemove={() => onChange({ replay: undefined })} />
      )}
    </FilterBar>
  );
}
