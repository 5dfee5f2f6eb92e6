import { useState } from 'react';
import { Button } from '../ui/button.js';
import { ChipSelect, chipClass } from '../ui/forms/chip-select.js';
import { Icon } from '../ui/icons.js';
import { visibleText } from '../ui/text/visible-text.js';
import { filtersOf, filterText } from './chart-state.js';
import type { ChartOnPage } from './use-chart.js';
import { useValueName } from './value-names.js';

/** Chips of the active filters, each with a button to remove it, and chips to add one. */
export function ChartFilters({ page: { state, options, change } }: { page: ChartOnPage }) {
  const [name, setName] = useState('');
  const nameOf = useValueName();
  const offered = options.data?.filters ?? [];
  const chosen = offered.find(({ id }) => id === name);
  const texts = state.filter ?? [];
  const set = filtersOf(texts).flatMap((filter) => filter.values.map((value) => ({ ...filter, value })));
  const labelOf = (id: string, value: string) => {
    const filter = offered.find((one) => one.id === id);
    const option = filter?.options.find((one) => one.id === value);
    return [filter?.display_name ?? id, nameOf(id, option?.display_name ?? value)] as const;
  };
  const add = (value: string) => {
    if (value !== '' || chosen?.options.some(({ id }) => id === '')) {
      change({ filter: [...texts, filterText(name, value)] });
      setName('');
    }
  };
  return (
    <>
      {set.map(({ name: id, value }) => {
        const [label, shown] = labelOf(id, value);
        return (
          <button
            key={filterText(id, value)}
            type="button"
            aria-label={`Remove the filter ${label}: ${visibleText(shown)}`}
            className={chipClass(true, 'cursor-pointer')}
            onClick={() => {
              const left = texts.filter((one) => one !== filterText(id, value));
              change({ filter: left.length > 0 ? left : undefined });
            }}
          >
            <span className="min-w-0 truncate">
              <span className="text-muted">{label}: </span>
              {visibleText(shown)}
            </span>
            <Icon name="x" />
          </button>
        );
      })}
      {chosen && (
        <ChipSelect
          label="Value"
          isSet
          placeholder={
            chosen.options.length > 0 ? `${chosen.display_name}: choose` : `${chosen.display_name}: no values`
          }
          value=""
          options={chosen.options
            .filter(({ id }) => !set.some((one) => one.name === name && one.value === id))
            .map(({ id, display_name: label }) => ({ value: id, label: nameOf(name, label) }))}
          onChange={add}
        />
      )}
      <ChipSelect
        label="Filter"
        placeholder="Add filter"
        value=""
        options={offered.map(({ id, display_name: label }) => ({ value: id, label }))}
        onChange={setName}
      />
      {set.length > 1 && (
        <Button variant="ghost" onClick={() => change({ filter: undefined })}>
          Clear filters
        </Button>
      )}
    </>
  );
}
