import { useState } from 'react';
import { Button } from '../../ui/button.js';
import { TextField } from '../../ui/forms/text-field.js';

interface CustomerSearchProps {
  value: string;
  busy: boolean;
  onSearch: (typed: string) => void;
}

/** Finds customers by the beginning of an id or email, or by an identifier of a store. */
export function CustomerSearch({ value, busy, onSearch }: CustomerSearchProps) {
  const [typed, setTyped] = useState(value);
  return (
    <form
      role="search"
      className="flex max-w-2xl flex-wrap items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(typed.trim());
      }}
    >
      <TextField
        className="min-w-0 flex-1 basis-64"
        label="Find a customer"
        labelHidden
        hint="The beginning of an app user id or email, or a whole order or transaction id."
        placeholder="Find a customer"
        value={typed}
        maxLength={255}
        autoComplete="off"
        onChange={({ target }) => setTyped(target.value)}
      />
      <Button type="submit" icon="search" busy={busy}>
        Search
      </Button>
      {value !== '' && <Button onClick={() => onSearch('')}>Clear search</Button>}
    </form>
  );
}
