import { eventTypes, typeName } from '../../api/event-types.js';
import { Button } from '../../ui/button.js';
import { FilterBar, setCount } from '../../ui/lists/filter-bar.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { type Period, periods } from '../period.js';
import type { DeliveryFilter, DeliveryStatus } from '../webhooks.queries.js';
import { text } from '../webhooks.text.js';

interface DeliveryFiltersProps {
  filter: DeliveryFilter;
  onChange: (changes: Partial<DeliveryFilter>) => void;
}

/** Filters of the deliveries, stored in the address. */
export function DeliveryFilters({ filter, onChange }: DeliveryFiltersProps) {
  const { filters } = text;
  return (
    <FilterBar count={setCount(filter)} className="border-b border-line px-4 py-2">
      <SelectField
        label={filters.status}
        labelHidden
        size="sm"
        placeholder={filters.anyStatus}
        value={filter.status ?? ''}
        onChange={({ target }) =>
          onChange({ status: (target.value || undefined) as DeliveryStatus | undefined })
        }
        options={Object.entries(text.statuses).map(([value, label]) => ({ value, label }))}
      />
      <SelectField
        label={filters.type}
        labelHidden
        size="sm"
        placeholder={filters.anyType}
        value={filter.type?.toLowerCase() ?? ''}
        onChange={({ target }) => onChange({ type: target.value || undefined })}
        options={eventTypes.map((type) => ({ value: type, label: typeName(type) }))}
      />
      <SelectField
        label={filters.period}
        labelHidden
        size="sm"
        placeholder={filters.anyPeriod}
        value={filter.period ?? ''}
        onChange={({ target }) => onChange({ period: (target.value || undefined) as Period | undefined })}
        options={periods.map((value) => ({ value, label: text.periods[value] }))}
      />
      {filter.event !== undefined && (
        <Only what={filters.event(filter.event)} onRemove={() => onChange({ event: undefined })} />
      )}
      {filter.replay !== undefined && (
        <Only what={filters.replay(filter.replay)} onRemove={() => onChange({ replay: undefined })} />
      )}
    </FilterBar>
  );
}

/** A filter that was set by a link. */
function Only({ what, onRemove }: { what: string; onRemove: () => void }) {
  const shown = visibleText(what);
  return (
    <Button
      size="sm"
      icon="x"
      aria-label={text.filters.remove(shown)}
      onClick={onRemove}
      className="max-w-full"
    >
      <span className="truncate">{shown}</span>
    </Button>
  );
}
