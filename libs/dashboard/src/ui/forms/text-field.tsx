import { useState, type ComponentPropsWithRef, type ReactNode } from 'react';
import { cx } from '../cx.js';
import { controlClass, Field, type FieldProps } from './field.js';

/** Props of the field and of its native control, which `ref` refers to. */
type Of<Tag extends 'input' | 'textarea'> = FieldProps & Omit<ComponentPropsWithRef<Tag>, 'id' | 'children'>;

/** Separates the field's props from those of its control. */
function split<T extends FieldProps>(props: T) {
  const { label, hint, error, optional, labelHidden, className, ...control } = props;
  return [{ label, hint, error, optional, labelHidden, className }, control] as const;
}

type TextFieldProps = Of<'input'> & {
  mono?: boolean;
  /** Content at the end, inside the border. */ end?: ReactNode;
};

/** One line of text. */
export function TextField({ mono, end, ...props }: TextFieldProps) {
  const [field, control] = split(props);
  return (
    <Field {...field}>
      {(ids) => (
        <span className="relative block">
          <input
            type="text"
            spellCheck={false}
            {...control}
            {...ids}
            className={cx(controlClass, 'h-8', mono && 'font-mono pointer-fine:text-sm!', end && 'pe-14')}
          />
          {end && <span className="absolute inset-y-0 end-1 flex items-center">{end}</span>}
        </span>
      )}
    </Field>
  );
}

/** Several lines of text. */
export function TextAreaField({ mono, ...props }: Of<'textarea'> & { mono?: boolean }) {
  const [field, control] = split(props);
  return (
    <Field {...field}>
      {(ids) => (
        <textarea
          rows={4}
          spellCheck={false}
          {...control}
          {...ids}
          className={cx(controlClass, 'py-1.5 leading-5', mono && 'font-mono pointer-fine:text-sm!')}
        />
      )}
    </Field>
  );
}

/** A password or key. Hidden until revealed, and not autofilled unless `autoComplete` allows it. */
export function SecretField(props: Of<'input'>) {
  const [shown, setShown] = useState(false);
  const name = typeof props.label === 'string' ? props.label : '';
  return (
    <TextField
      autoComplete="off"
      autoCapitalize="off"
      {...props}
      type={shown ? 'text' : 'password'}
      end={
        <button
          type="button"
          aria-label={shown ? `Hide ${name}` : `Show ${name}`}
          onClick={() => setShown(!shown)}
          className="h-6 rounded-sm px-1.5 text-sm text-muted hover:bg-hover hover:text-fg"
        >
          {shown ? 'Hide' : 'Show'}
        </button>
      }
    />
  );
}

/** A number, entered as text so that the browser drops no characters. */
export function NumberField({ integer, ...props }: Of<'input'> & { integer?: boolean }) {
  return <TextField inputMode={integer ? 'numeric' : 'decimal'} autoComplete="off" {...props} />;
}
