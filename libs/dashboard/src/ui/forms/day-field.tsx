import { type ComponentPropsWithRef } from 'react';
import { cx } from '../cx.js';
import { controlClass, Field, type FieldProps } from './field.js';
import { dayToMs } from '../format/format-time.js';

type DayFieldProps = FieldProps &
  Omit<ComponentPropsWithRef<'input'>, 'id' | 'type' | 'value' | 'onChange' | 'children'> & {
    /** A UTC day `YYYY-MM-DD`; empty for none. */
    value: string;
    onChange: (day: string) => void;
  };

/** A UTC day, handled as text from picker to request, so that local midnight is never involved. */
export function DayField({
  label,
  hint,
  error,
  optional,
  labelHidden,
  className,
  value,
  onChange,
  ...input
}: DayFieldProps) {
  return (
    <Field
      label={
        <>
          {label} <span className="text-xs font-normal text-muted">UTC</span>
        </>
      }
      {...{ hint, error, optional, labelHidden, className }}
    >
      {(ids) => (
        <input
          {...input}
          {...ids}
          type="date"
          value={value}
          onChange={({ target }) => {
            if (target.value === '' || dayToMs(target.value) !== null) onChange(target.value);
          }}
          className={cx(controlClass, 'h-8')}
        />
      )}
    </Field>
  );
}
