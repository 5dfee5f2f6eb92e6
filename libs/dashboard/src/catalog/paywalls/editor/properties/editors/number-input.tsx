import { useState } from 'react';
import { cx } from '../../../../../ui/cx.js';
import type { SchemaNode } from '../../schema/document-schema.js';
import { schemaProblem } from '../../schema/check.js';
import { inputClass } from '../property-row.js';

interface NumberInputProps {
  id?: string;
  label?: string;
  node: SchemaNode;
  schema: SchemaNode;
  value: number | undefined;
  /** Receives undefined if the input is empty, which only an optional value allows. */
  onChange: (value: number | undefined) => void;
  isOptional?: boolean;
  disabled: boolean;
  placeholder?: string;
  className?: string;
}

/** A number. A text that is not a valid one stays in the input, marked, and changes nothing. */
export function NumberInput(props: NumberInputProps) {
  const { id, label, node, schema, value, onChange, isOptional, disabled, placeholder, className } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const parse = (text: string) => (text.trim() === '' ? undefined : Number(text.replace(',', '.')));
  const problemOf = (number: number | undefined): string | null => {
    if (number === undefined) return isOptional ? null : 'must be a number';
    return Number.isNaN(number) ? 'must be a number' : (schemaProblem(schema, node, number)?.message ?? null);
  };
  const isTyped = typed !== null && (parse(typed) === value || problemOf(parse(typed)) !== null);
  const problem = isTyped ? problemOf(parse(typed)) : null;
  const step = (by: number) => {
    const next = (value ?? 0) + by;
    if (problemOf(next) !== null) return;
    setTyped(null);
    onChange(next);
  };
  return (
    <input
      id={id}
      type="text"
      inputMode="decimal"
      autoComplete="off"
      aria-label={label}
      aria-invalid={problem !== null || undefined}
      data-tip={problem === null ? undefined : `The value ${problem}.`}
      disabled={disabled}
      placeholder={placeholder}
      value={isTyped ? typed : (value ?? '')}
      onChange={({ target }) => {
        setTyped(target.value);
        if (problemOf(parse(target.value)) === null) onChange(parse(target.value));
      }}
      onBlur={() => problem === null && setTyped(null)}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
        event.preventDefault();
        step((event.key === 'ArrowUp' ? 1 : -1) * (event.shiftKey ? 10 : 1));
      }}
      className={cx(inputClass, 'tabular-nums', className)}
    />
  );
}
