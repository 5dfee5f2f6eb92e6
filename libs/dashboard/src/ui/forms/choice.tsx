import { useId, type ComponentPropsWithRef, type ReactNode } from 'react';
import { cx } from '../cx.js';
import { FieldError } from './field.js';
import { Icon } from '../icons.js';

type BoxProps = Omit<ComponentPropsWithRef<'input'>, 'type' | 'size'> & {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | null;
  labelHidden?: boolean;
};

/** A checkbox or switch with its label. The whole line is the target. */
function Box({
  label,
  hint,
  error,
  labelHidden,
  className,
  look,
  ...input
}: BoxProps & { look: 'box' | 'switch' }) {
  const id = useId();
  const describedBy = cx(error && `${id}-error`, hint && `${id}-hint`) || undefined;
  return (
    <div className={className}>
      <label className="flex min-h-6 items-start gap-2.5 has-disabled:opacity-55 pointer-coarse:min-h-11">
        <input
          type="checkbox"
          role={look === 'switch' ? 'switch' : undefined}
          {...input}
          aria-describedby={describedBy}
          aria-invalid={error ? true : undefined}
          className={look === 'switch' ? 'ui-switch' : 'ui-check'}
        />
        <span className={labelHidden ? 'sr-only' : 'min-w-0'}>{label}</span>
      </label>
      {hint && (
        <p id={`${id}-hint`} className={cx('text-sm text-muted', look === 'switch' ? 'ms-10.5' : 'ms-6.5')}>
          {hint}
        </p>
      )}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  );
}

/** On or off, submitted with a form. */
export const Checkbox = (props: BoxProps) => <Box {...props} look="box" />;

/** On or off, effective immediately. */
export const Switch = (props: BoxProps) => <Box {...props} look="switch" />;

interface RadioCard<V extends string> {
  value: V;
  label: ReactNode;
  hint?: ReactNode;
  disabledReason?: string | null;
}

interface RadioCardsProps<V extends string> {
  label: ReactNode;
  labelHidden?: boolean;
  options: readonly RadioCard<V>[];
  value: V | '' | null | undefined;
  onChange: (value: V) => void;
  hint?: ReactNode;
  error?: string | null;
  columns?: 1 | 2 | 3;
}

const grids = { 1: '', 2: 'sm:grid-cols-2', 3: 'sm:grid-cols-2 lg:grid-cols-3' };

/** One of a few options, each with a description. */
export function RadioCards<V extends string>(props: RadioCardsProps<V>) {
  const id = useId();
  const { label, labelHidden, options, value, onChange, hint, error, columns = 1 } = props;
  const describedBy = cx(error && `${id}-error`, hint && `${id}-hint`) || undefined;
  return (
    <fieldset aria-describedby={describedBy} className="min-w-0">
      <legend className={labelHidden ? 'sr-only' : 'mb-1 font-medium'}>{label}</legend>
      {hint && (
        <p id={`${id}-hint`} className="mb-2 text-sm text-muted">
          {hint}
        </p>
      )}
      <div className={cx('grid gap-2', grids[columns])}>
        {options.map((option) => (
          <label
            key={option.value}
            className="flex gap-2.5 rounded-md border border-line bg-panel p-3 hover:border-edge has-checked:border-accent has-checked:bg-chosen has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent has-disabled:opacity-60"
          >
            <input
              type="radio"
              name={id}
              value={option.value}
              checked={value === option.value}
              disabled={Boolean(option.disabledReason)}
              onChange={() => onChange(option.value)}
              className="ui-check rounded-full! focus-visible:outline-none"
            />
            <span className="min-w-0">
              <span className="block font-medium">{option.label}</span>
              {option.hint && <span className="mt-0.5 block text-sm text-muted">{option.hint}</span>}
              {option.disabledReason && (
                <span className="mt-0.5 flex gap-1 text-sm text-muted">
                  <Icon name="lock" className="mt-0.5 size-3.5!" />
                  {option.disabledReason}
                </span>
              )}
            </span>
          </label>
        ))}
      </div>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </fieldset>
  );
}
