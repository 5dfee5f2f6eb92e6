import { useState } from 'react';
import { Checkbox } from '../../ui/forms/choice.js';
import { TextField } from '../../ui/forms/text-field.js';

interface ProductChoiceProps {
  /** All products of the project. */
  options: readonly { value: string; label: string }[];
  value: readonly string[];
  onChange: (ids: string[]) => void;
  error: string | null;
  /** Shown while the options load, or if they could not be loaded. */
  note?: string;
  autoFocus: boolean;
}

/** More would make the page slow; the search finds the others. */
const MOST_SHOWN = 50;

/** Selects several products. Those that were selected initially come first. */
export function ProductChoice({ options, value, onChange, error, note, autoFocus }: ProductChoiceProps) {
  const [search, setSearch] = useState('');
  // Fixed order, so that a product does not move from under the pointer when it is selected.
  const [first] = useState(() => new Set(value));
  const chosenLast = [...first].filter((id) => !options.some((option) => option.value === id));
  const all = [
    ...chosenLast.map((id) => ({ value: id, label: id })),
    ...options.filter((option) => first.has(option.value)),
    ...options.filter((option) => !first.has(option.value)),
  ];
  const wanted = search.trim().toLowerCase();
  const found = note === undefined ? all.filter(({ label }) => label.toLowerCase().includes(wanted)) : [];
  const shown = found.slice(0, MOST_SHOWN);
  return (
    <div className="grid gap-2">
      <TextField
        type="search"
        label="Products"
        placeholder="Search by name or store identifier"
        hint={value.length === 1 ? '1 product chosen' : `${value.length} products chosen`}
        error={error}
        autoComplete="off"
        autoFocus={autoFocus}
        value={search}
        onChange={({ target }) => setSearch(target.value)}
        onKeyDown={(event) => {
          // Enter would submit the form.
          if (event.key === 'Enter') event.preventDefault();
        }}
      />
      <div
        role="group"
        aria-label="Products that match"
        className="grid max-h-40 gap-1 overflow-y-auto rounded-md border border-line p-2"
      >
        {shown.map(({ value: id, label }) => (
          <Checkbox
            key={id}
            label={<span className="[overflow-wrap:anywhere]">{label}</span>}
            checked={value.includes(id)}
            onChange={({ target }) =>
              onChange(target.checked ? [...value, id] : value.filter((other) => other !== id))
            }
          />
        ))}
        {shown.length === 0 && <p className="text-sm text-muted">{note ?? 'No product matches.'}</p>}
        {found.length > shown.length && (
          <p className="text-sm text-muted">{`${(found.length - shown.length).toLocaleString('en')} more: narrow the search.`}</p>
        )}
      </div>
    </div>
  );
}
