import { lazy, Suspense } from 'react';
import { controlClass, Field, type FieldProps } from './field.js';

export interface ComboboxOption {
  value: string;
  label: string;
  hint?: string;
}

export interface ComboboxShared extends FieldProps {
  options: readonly ComboboxOption[];
  placeholder?: string;
  /** Called as the person types; then the options are those that the server found. */
  onSearch?: (text: string) => void;
  loading?: boolean;
}

const parts = () => import('./overlay/combobox-parts.js');
const Single = lazy(() => parts().then(({ SingleParts }) => ({ default: SingleParts })));
const Multi = lazy(() => parts().then(({ MultiParts }) => ({ default: MultiParts })));

/** Keeps the room until the code is there. */
function Waiting({ label, hint, labelHidden, optional, placeholder, className }: ComboboxShared) {
  return (
    <Field {...{ label, hint, labelHidden, optional, className }}>
      {(ids) => <input {...ids} disabled placeholder={placeholder} className={`${controlClass} h-8`} />}
    </Field>
  );
}

/** One of many options, found by typing; an empty text for none. */
export function Combobox(props: ComboboxShared & { value: string; onChange: (value: string) => void }) {
  return (
    <Suspense fallback={<Waiting {...props} />}>
      <Single {...props} />
    </Suspense>
  );
}

/** Several of many options, found by typing. */
export function MultiCombobox(
  props: ComboboxShared & { value: readonly string[]; onChange: (values: string[]) => void },
) {
  return (
    <Suspense fallback={<Waiting {...props} />}>
      <Multi {...props} />
    </Suspense>
  );
}
