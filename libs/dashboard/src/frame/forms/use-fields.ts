import { type ChangeEvent, type FormEvent, useEffect, useRef, useState } from 'react';
import type { CallError } from '../../api/call-error.js';
import { focusFirstError } from '../../ui/forms/form.js';

type Values<Name extends string> = Record<Name, string>;
type Problems<Name extends string> = Partial<Record<Name, string | null>>;

interface Options<Name extends string> {
  initial: Values<Name>;
  /** Validates before anything is sent: empty fields and the like. */
  check?: (values: Values<Name>) => Problems<Name>;
  /** Error of the last attempt. */
  error: CallError | null;
  /** The object of the body that contains the fields: `oidc` for the server's `oidc.issuer`. */
  within?: string;
  onSubmit: (values: Values<Name>) => void;
  busy?: boolean;
}

/** A small form of text fields. Server errors about a field appear next to it, others in `problem`. */
export function useFields<Name extends string>(options: Options<Name>) {
  const { initial, check, error, within, onSubmit, busy } = options;
  const [values, setValues] = useState(initial);
  const [problems, setProblems] = useState<Problems<Name>>({});
  const form = useRef<HTMLFormElement>(null);
  const place = within === undefined ? '' : `${within}.`;
  const param = error?.param?.startsWith(place) ? error.param.slice(place.length) : error?.param;
  const ofField = param && param in values ? param : null;

  useEffect(() => {
    if (error || Object.values(problems).some(Boolean)) focusFirstError(form.current);
  }, [error, problems]);

  const set = (name: Name, value: string) => setValues((before) => ({ ...before, [name]: value }));
  return {
    values,
    set,
    isDirty: (Object.keys(values) as Name[]).some((name) => values[name] !== initial[name]),
    /** Error that belongs to none of the fields. */
    problem: error && ofField === null ? error.message : null,
    form: {
      ref: form,
      noValidate: true,
      onSubmit: (event: FormEvent) => {
        event.preventDefault();
        if (busy) return;
        const found = check?.(values) ?? {};
        setProblems(found);
        if (!Object.values(found).some(Boolean)) onSubmit(values);
      },
    },
    field: (name: Name) => ({
      name,
      value: values[name],
      onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>) =>
        set(name, event.target.value),
      error: problems[name] ?? (ofField === name ? error?.message : null),
    }),
  };
}
