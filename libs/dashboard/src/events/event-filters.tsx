import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { eventTypes, typeName } from '../api/event-types.js';
import { useMay } from '../api/permissions.js';
import { Button } from '../ui/button.js';
import { FilterBar, setCount } from '../ui/lists/filter-bar.js';
import { SelectField } from '../ui/forms/select-field.js';
import { TextField } from '../ui/forms/text-field.js';
import { appsQuery } from '../api/apps.queries.js';
import type { EventFilter } from './events.queries.js';

interface EventFiltersProps {
  projectId: string;
  filter: EventFilter;
  onChange: (changes: { type?: string; app?: string; customer?: string }) => void;
}

/** Filters of the events, stored in the address. */
export function EventFilters({ projectId, filter, onChange }: EventFiltersProps) {
  const mayApps = useMay('listApps').allowed;
  const apps = useQuery({ ...appsQuery(projectId), enabled: mayApps });
  return (
    <FilterBar
      count={setCount({ ...filter, environment: undefined })}
      className="border-b border-line px-4 py-2"
    >
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
        label="App"
        labelHidden
        size="sm"
        placeholder="Any app"
        value={filter.app_id ?? ''}
        onChange={({ target }) => onChange({ app: target.value || undefined })}
        options={(apps.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      />
      <CustomerFilter
        key={filter.customer}
        customer={filter.customer ?? ''}
        onChange={(customer) => onChange({ customer: customer || undefined })}
      />
    </FilterBar>
  );
}

/** Matches exactly, so it searches only complete ids. */
function CustomerFilter({ customer, onChange }: { customer: string; onChange: (id: string) => void }) {
  const [typed, setTyped] = useState(customer);
  return (
    <form
      className="flex min-w-0 items-center gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        onChange(typed.trim());
      }}
    >
      <TextField
        label="App user id"
        labelHidden
        placeholder="App user id"
        autoComplete="off"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <Button type="submit" size="sm">
        Filter
      </Button>
    </form>
  );
}
