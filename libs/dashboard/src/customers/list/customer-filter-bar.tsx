import { type FormEvent, useState } from 'react';
import { Button } from '../../ui/button.js';
import { SelectField } from '../../ui/forms/select-field.js';
import { TextField } from '../../ui/forms/text-field.js';
import { DayField } from '../../ui/forms/day-field.js';
import { FilterBar } from '../../ui/lists/filter-bar.js';
import { visibleText } from '../../ui/text/visible-text.js';
import {
  type FilterDefinition,
  filterDefinitions,
  type FilterName,
  filterNames,
  type Filters,
  problemOf,
} from './customer-filters.js';
import { type Options, useCatalogOptions } from './use-catalog-options.js';

interface CustomerFilterBarProps {
  projectId: string;
  filters: Filters;
  onChange: (filters: Filters) => void;
}

/** The active filters, each with a button to remove it, and the controls to add one. */
export function CustomerFilterBar({ projectId, filters, onChange }: CustomerFilterBarProps) {
  const [name, setName] = useState<FilterName | ''>('');
  const catalog = useCatalogOptions(projectId, filters, name);
  const active = filterNames.filter((one) => filters[one] !== undefined);
  const add = (value: string) => {
    if (name !== '') onChange({ ...filters, [name]: value });
    setName('');
  };
  return (
    <FilterBar count={active.length} isLabelled>
      <SelectField
        label="Filter"
        labelHidden
        placeholder="Add a filter"
        value={name}
        options={filterNames.map((value) => ({ value, label: filterDefinitions[value].label }))}
        onChange={({ target }) => setName(target.value as FilterName)}
        className="md:w-44"
      />
      {name !== '' && <FilterValue key={name} name={name} options={catalog(name)} onAdd={add} />}
      {active.map((one) => {
        const { label } = filterDefinitions[one];
        const value = filters[one] ?? '';
        const shown = catalog(one)?.find((option) => option.value === value)?.label ?? value;
        return (
          <Button
            key={one}
            icon="x"
            aria-label={`Remove the filter ${label}: ${visibleText(shown)}`}
            onClick={() => onChange({ ...filters, [one]: undefined })}
          >
            <span className="max-w-60 truncate">
              {label}: {visibleText(shown)}
            </span>
          </Button>
        );
      })}
      {active.length > 1 && (
        <Button variant="ghost" onClick={() => onChange({})}>
          Clear filters
        </Button>
      )}
    </FilterBar>
  );
}

interface FilterValueProps {
  name: FilterName;
  options: Options | undefined;
  onAdd: (value: string) => void;
}

/** The control for the value of a new filter. */
function FilterValue({ name, options, onAdd }: FilterValueProps) {
  const [value, setValue] = useState('');
  const [error, setError] = useState<string | null>(null);
  const { kind, placeholder }: FilterDefinition = filterDefinitions[name];
  if (options)
    return (
      <SelectField
        label="Value"
        labelHidden
        placeholder="Choose a value"
        value=""
        options={options}
        onChange={({ target }) => onAdd(target.value)}
        className="md:w-52"
      />
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const typed = value.trim();
    const problem = typed === '' ? 'Enter a value.' : problemOf(name, typed);
    if (problem === null) onAdd(typed);
    else setError(problem);
  };
  return (
    <form className="flex flex-wrap items-start gap-2" onSubmit={submit}>
      {kind === 'day' ? (
        <DayField label="Value" labelHidden value={value} error={error ?? undefined} onChange={setValue} />
      ) : (
        <TextField
          label="Value"
          labelHidden
          className="md:w-52"
          placeholder={placeholder}
          value={value}
          error={error ?? undefined}
          maxLength={500}
          autoComplete="off"
          onChange={({ target }) => setValue(target.value)}
        />
      )}
      <Button type="submit">Add</Button>
    </form>
  );
}
