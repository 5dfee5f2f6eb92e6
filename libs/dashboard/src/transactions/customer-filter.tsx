import { useState } from 'react';
import { Button } from '../ui/button.js';
import { TextField } from '../ui/forms/text-field.js';

/** Matches exactly, so it searches only complete ids. */
export function CustomerFilter({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const [typed, setTyped] = useState(value);
  return (
    <form
      role="search"
      className="flex min-w-0 items-center gap-2 border-b border-line px-4 py-2"
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
