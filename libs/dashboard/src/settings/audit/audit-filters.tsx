import { Button } from '../../ui/button.js';
import { DayField } from '../../ui/forms/day-field.js';
import { FilterBar, setCount } from '../../ui/lists/filter-bar.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { TextField } from '../../ui/forms/text-field.js';
import { actionWords } from './audit-words.js';
import type { AuditAction } from './audit.queries.js';

export interface AuditSearch {
  from?: string;
  to?: string;
  action?: string;
  actor?: string;
  target?: string;
}

interface AuditFiltersProps {
  search: AuditSearch;
  actions: readonly AuditAction[];
  onChange: (changes: AuditSearch) => void;
  onClear: () => void;
}

/** Searches when the field loses focus or Enter is pressed. */
function commit(onCommit: (value: string) => void) {
  return {
    onBlur: ({ target }: { target: HTMLInputElement }) => onCommit(target.value.trim()),
    onKeyDown: ({ key, currentTarget }: { key: string; currentTarget: HTMLInputElement }) => {
      if (key === 'Enter') onCommit(currentTarget.value.trim());
    },
  };
}

export function AuditFilters({ search, actions, onChange, onClear }: AuditFiltersProps) {
  const count = setCount(search);
  return (
    <FilterBar isLabelled count={count}>
      <DayField label="From" value={search.from ?? ''} onChange={(from) => onChange({ from })} />
      <DayField label="To" value={search.to ?? ''} onChange={(to) => onChange({ to })} />
      <SelectField
        label="Action"
        placeholder="Any action"
        value={search.action ?? ''}
        options={actions.map((action) => ({ value: action, label: actionWords(action) }))}
        onChange={({ target }) => onChange({ action: target.value })}
        className="w-56"
      />
      <TextField
        key={`actor ${search.actor ?? ''}`}
        label="Actor"
        placeholder="Email address or id of a key"
        defaultValue={search.actor ?? ''}
        className="w-56"
        {...commit((actor) => onChange({ actor }))}
      />
      <TextField
        key={`target ${search.target ?? ''}`}
        label="Object or customer id"
        defaultValue={search.target ?? ''}
        className="w-48"
        {...commit((target) => onChange({ target }))}
      />
      {count > 0 && (
        <Button variant="ghost" icon="x" onClick={onClear}>
          Clear filters
        </Button>
      )}
    </FilterBar>
  );
}
