import { eventTypes, typeName } from '../../api/event-types.js';
import { Button } from '../../ui/button.js';
import { FilterBar, setCount } from '../../ui/lists/filter-bar.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { visibleText } from '../../ui/text/visible-text.js';
import { type Period, periods } from '../period.js';
import type { DeliveryFilter, DeliveryStatus } from '../webhooks.queries.js';
import { statusLabels } from '../labels.js';

const periodLabels: Record<Period, string> = {
  '1h': 'Last hour',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
};

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
        options={Object.entries(statusLabels).map(([value, label]) => ({ value, label }))}
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
        <Only what={`Event ${filter.event}`} onRemove={() => onChange({ event: undefined })} />
      )}
      {filter.replay !== undefined && (
        <Only what={`Replay ${filter.replay}`} onRemove={() => onChange({ replay: undefined })} />
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
      aria-label={`Show all, not only ${shown}`}
      onClick={onRemove}
      className="max-w-full"
    >
      <span className="truncate">{shown}</span>
    </Button>
  );
}
