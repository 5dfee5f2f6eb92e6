import { useState } from 'react';
import { Button } from '../ui/button.js';
import { SelectField } from '../ui/forms/select-field.js';
import { visibleText } from '../ui/text/visible-text.js';
import { filtersOf, filterText } from './chart-state.js';
import type { ChartOnPage } from './use-chart.js';

/** The active filters, each with a button to remove it, and a button to add one. */
export function ChartFilters({ page: { state, options, change } }: { page: ChartOnPage }) {
  const [name, setName] = useState('');
  const offered = options.data?.filters ?? [];
  const chosen = offered.find(({ id }) => id === name);
  const texts = state.filter ?? [];
  const set = filtersOf(texts).flatMap((filter) => filter.values.map((value) => ({ ...filter, value })));
  const labelOf = (id: string, value: string) => {
    const filter = offered.find((one) => one.id === id);
    const option = filter?.options.find((one) => one.id === value);
    return [filter?.display_name ?? id, option?.display_name ?? value] as const;
  };
  const add = (value: string) => {
    if (value !== '' || chosen?.options.some(({ id }) => id === '')) {
      change({ filter: [...texts, filterText(name, value)] });
      setName('');
    }
  };
  return (
    <div className="flex flex-wrap items-end gap-2">
      <SelectField
        label="Filter"
        placeholder="Add a filter"
        value={name}
        options={offered.map(({ id, display_name: label }) => ({ value: id, label }))}
        onChange={({ target }) => setName(target.value)}
        className="w-44"
      />
      {chosen && (
        <SelectField
          label="Value"
          placeholder={chosen.options.length > 0 ? 'Choose a value' : 'The project has no values of it'}
          value=""
          options={chosen.options
            .filter(({ id }) => !set.some((one) => one.name === name && one.value === id))
            .map(({ id, display_name: label }) => ({ value: id, label }))}
          onChange={({ target }) => add(target.value)}
          className="w-52"
        />
      )}
      {set.map(({ name: id, value }) => {
        const [label, shown] = labelOf(id, value);
        return (
          <Button
            key={filterText(id, value)}
            icon="x"
            aria-label={`Remove the filter ${label}: ${visibleText(shown)}`}
            onClick={() => {
              const left = texts.filter((one) => one !== filterText(id, value));
              change({ filter: left.length > 0 ? left : undefined });
            }}
          >
            <span className="max-w-60 truncate">
              {label}: {visibleText(shown)}
            </span>
          </Button>
        );
      })}
      {set.length > 1 && (
        <Button variant="ghost" onClick={() => change({ filter: undefined })}>
          Clear filters
        </Button>
      )}
    </div>
  );
}
