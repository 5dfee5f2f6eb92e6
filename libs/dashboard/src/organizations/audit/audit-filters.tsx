import actions from 'virtual:organization-audit-actions';
import { Button } from '../../ui/button.js';
import { DayField } from '../../ui/forms/day-field.js';
import { FilterBar, setCount } from '../../ui/lists/filter-bar.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { TextField } from '../../ui/forms/text-field.js';
import { actionWords } from './action-words.js';

interface AuditSearch {
  from?: string;
  to?: string;
  action?: string;
  actor?: string;
}

interface AuditFiltersProps {
  search: AuditSearch;
  onChange: (changes: AuditSearch) => void;
  onClear: () => void;
}

export function AuditFilters({ search, onChange, onClear }: AuditFiltersProps) {
  const commit = (value: string) => onChange({ actor: value.trim() });
  return (
    <FilterBar isLabelled count={setCount(search)}>
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
        label="Person or object"
        placeholder="Among the loaded entries"
        defaultValue={search.actor ?? ''}
        className="w-56"
        onBlur={({ target }) => commit(target.value)}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Enter') commit(currentTarget.value);
        }}
      />
      {setCount(search) > 0 && (
        <Button variant="ghost" icon="x" onClick={onClear}>
          Clear filters
        </Button>
      )}
    </FilterBar>
  );
}
