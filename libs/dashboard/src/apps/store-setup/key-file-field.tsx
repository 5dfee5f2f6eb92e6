import { useState } from 'react';
import { DataText } from '../../ui/text/data-text.js';
import { controlClass, Field } from '../../ui/forms/field.js';
import { emailOfServiceAccount, isPrivateKey, LARGEST_KEY_FILE } from './store-file.js';

interface KeyFileFieldProps {
  label: string;
  hint?: string;
  kind: 'p8' | 'json';
  value: string;
  error?: string | null;
  /** An empty string discards what was read before. */
  onRead: (text: string, fileName: string) => void;
}

function problemOf(kind: KeyFileFieldProps['kind'], text: string): string | null {
  if (kind === 'p8') return isPrivateKey(text) ? null : 'This is not a .p8 key file.';
  return emailOfServiceAccount(text) === null ? 'This is not the JSON key of a service account.' : null;
}

/** A key file, read in the browser. Its contents are stored in the form's state and never displayed. */
export function KeyFileField({ label, hint, kind, value, error, onRead }: KeyFileFieldProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const [fileName, setFileName] = useState('');
  const read = async (file: File) => {
    const text = file.size > LARGEST_KEY_FILE ? null : await file.text();
    const found = text === null ? 'This file is too large for a key.' : problemOf(kind, text);
    setProblem(found);
    setFileName(file.name);
    onRead(found === null && text !== null ? text : '', file.name);
  };
  const email = kind === 'json' && value !== '' ? emailOfServiceAccount(value) : null;
  return (
    <div className="grid gap-1">
      <Field label={label} hint={hint} error={problem ?? error}>
        {(ids) => (
          <input
            {...ids}
            type="file"
            accept={kind === 'p8' ? '.p8' : '.json,application/json'}
            onChange={({ target }) => {
              const file = target.files?.[0];
              if (file) void read(file);
            }}
            className={`${controlClass} py-1 text-sm`}
          />
        )}
      </Field>
      <p role="status" className="text-sm empty:hidden">
        {value !== '' && (
          <DataText>{email === null ? `Read ${fileName}` : `Service account ${email}`}</DataText>
        )}
      </p>
    </div>
  );
}
