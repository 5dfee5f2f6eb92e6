import { useState } from 'react';
import { controlClass, Field } from '../../ui/forms/field.js';
import { visibleText } from '../../ui/text/visible-text.js';

const LARGEST = 1024 * 1024;

interface MetadataFieldProps {
  error?: string | null;
  /** An empty string discards what was read before. */
  onRead: (xml: string) => void;
}

/** The metadata file of an identity provider, read in the browser. */
export function MetadataField({ error, onRead }: MetadataFieldProps) {
  const [name, setName] = useState<string | null>(null);
  const [isTooLarge, setIsTooLarge] = useState(false);
  const read = async (file: File) => {
    const fits = file.size <= LARGEST;
    setIsTooLarge(!fits);
    setName(fits ? file.name : null);
    onRead(fits ? await file.text() : '');
  };
  return (
    <div className="grid grid-cols-1 gap-1">
      <Field
        label="Metadata file"
        hint="The file that the provider offers for download. It fills the fields below."
        error={isTooLarge ? 'The file is larger than 1 MB.' : error}
      >
        {(ids) => (
          <input
            {...ids}
            type="file"
            accept=".xml,text/xml,application/xml,application/samlmetadata+xml"
            onChange={({ target }) => {
              const file = target.files?.[0];
              if (file) void read(file);
            }}
            className={`${controlClass} py-1 text-sm`}
          />
        )}
      </Field>
      <p role="status" className="text-sm empty:hidden">
        {name !== null && `Read ${visibleText(name)}`}
      </p>
    </div>
  );
}
