import { type ChangeEvent, type FormEvent, useEffect, useRef, useState } from 'react';
import type { CallError } from '../../api/call-error.js';
import { focusFirstError } from '../../ui/forms/form.js';
import { type Path, pathOfParam, type ValueAt, valueAt, withValue } from './form-values.js';

type Problems<V> = Partial<Record<Path<V>, string | null>>;

export interface FormOptions<V> {
  /** Values by the server's field names, nested as in the body. */
  initial: V;
  /** Validates before anything is sent. A message disappears when its field is corrected. */
  check?: (values: V) => Problems<V>;
  /** The result of `useWrite`. */
  write: { error: CallError | null; isPending: boolean; reset?: () => void };
  /** Names the field of an error where the server names none, or another one. */
  paramOf?: (error: CallError, values: V) => string | null;
  onSubmit: (values: V) => void;
}

type Typed = ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>;

export type Form<V extends object> = ReturnType<typeof useForm<V>>;

/** The state of a form. Server errors about a field appear next to it, others in `problem`. */
export function useForm<V extends object>(options: FormOptions<V>) {
  const { initial, check, write, paramOf, onSubmit } = options;
  const { error, isPending } = write;
  const [values, setValues] = useState(initial);
  const [problems, setProblems] = useState<Problems<V>>({});
  const element = useRef<HTMLFormElement>(null);
  const param = error && (paramOf ? paramOf(error, values) : error.param);
  const failed = param ? pathOfParam(values, param) : null;
  const messages = Object.values(problems).some(Boolean) ? check?.(values) : undefined;

  useEffect(() => {
    if (error || Object.values(problems).some(Boolean)) focusFirstError(element.current);
  }, [error, problems]);

  const set = <P extends Path<V>>(path: P, value: ValueAt<V, P>) =>
    setValues((before) => withValue(before, path, value));
  /** Error of the value at the path. */
  const errorAt = (path: Path<V>): string | null =>
    (problems[path] && messages?.[path]) || (error && failed === path ? error.message : null);
  const read = <P extends Path<V>>(path: P) => valueAt(values, path) as ValueAt<V, P>;
  return {
    values,
    set,
    setValues,
    errorAt,
    /** Server error about anything at or below the path. */
    errorBelow: (path: Path<V>): string | null =>
      error && `${failed ?? ''}.`.startsWith(`${path}.`) ? error.message : null,
    clearErrors: () => {
      setProblems({});
      write.reset?.();
    },
    isDirty: JSON.stringify(values) !== JSON.stringify(initial),
    isPending,
    error,
    /** Error that belongs to none of the fields. */
    problem: error && failed === null ? error.message : null,
    /** Props of the form element. */
    formProps: {
      ref: element,
      noValidate: true,
      onSubmit: (event: FormEvent) => {
        event.preventDefault();
        if (isPending) return;
        const found = check?.(values) ?? {};
        setProblems(found);
        if (!Object.values(found).some(Boolean)) onSubmit(values);
      },
    },
    /** Props of a native text control or select. */
    field: <P extends Path<V>>(path: P) => ({
      name: path,
      value: read(path),
      onChange: ({ target }: Typed) => set(path, target.value as ValueAt<V, P>),
      error: errorAt(path),
    }),
    /** Props of a control whose `onChange` receives the value. */
    control: <P extends Path<V>>(path: P) => ({
      value: read(path),
      onChange: (value: ValueAt<V, P>) => set(path, value),
      error: errorAt(path),
    }),
    /** Props of a checkbox. */
    checkbox: <P extends Path<V>>(path: P) => ({
      checked: read(path) === true,
      onChange: ({ target }: ChangeEvent<HTMLInputElement>) => set(path, target.checked as ValueAt<V, P>),
      error: errorAt(path),
    }),
  };
}
