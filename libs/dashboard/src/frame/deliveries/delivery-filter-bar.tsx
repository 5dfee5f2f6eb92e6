import type { ReactNode } from 'react';
import { eventTypes, typeName } from '../../api/event-types.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { FilterBar, setCount } from '../../ui/lists/filter-bar.js';
import { OnlyFilter } from './only-filter.js';
import { type Period, periodLabels, periods } from './period.js';

export interface EventFilter {
  type?: string;
  period?: Period;
  event?: string;
  replay?: string;
}

interface DeliveryFilterBarProps {
  filter: EventFilter;
  onChange: (changes: EventFilter) => void;
  className?: string;
  /** Fields before those of the event. */
  children?: ReactNode;
}

/** Filters of deliveries by their event, stored in the address. */
export function DeliveryFilterBar({ filter, onChange, className, children }: DeliveryFilterBarProps) {
  return (
    <FilterBar count={setCount(filter)} className={className}>
      {children}
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
