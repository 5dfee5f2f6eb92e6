import { useId, useState } from 'react';
import { Button, IconButton } from '../../../ui/button.js';
import type { ImageFiles, ImageSource } from '../paywall.types.js';
import { ImageDialog } from './image-dialog.js';
import { Picture } from './picture.js';

export interface ImageFieldProps {
  label: string;
  /** Undefined if there is no image. */
  value: ImageSource | undefined;
  /** Receives undefined if the image is removed, which only an optional image allows. */
  onChange: (value: ImageSource | undefined) => void;
  isOptional: boolean;
  disabled: boolean;
}

type Side = 'light' | 'dark';

/** An image of a document, chosen from the uploaded ones, and optionally another one for dark screens. */
export function ImageField({ label, value, onChange, isOptional, disabled }: ImageFieldProps) {
  const id = useId();
  const [choosing, setChoosing] = useState<Side | null>(null);
  const { light, dark } = (value ?? {}) as Partial<Record<Side, ImageFiles>>;
  const choose = (files: ImageFiles) => {
    onChange(choosing === 'dark' && value ? { ...value, dark: files } : { ...value, light: files });
    setChoosing(null);
  };
  return (
    <div role="group" aria-labelledby={id} className="grid gap-2">
      <p id={id} className="text-sm text-muted">
        {label}
      </p>
      <ImageRow
        label="Image"
        files={light}
        disabled={disabled}
        onChoose={() => setChoosing('light')}
        onRemove={isOptional ? () => onChange(undefined) : null}
      />
      {light && (
        <ImageRow
          label="Dark screens"
          files={dark}
          disabled={disabled}
          onChoose={() => setChoosing('dark')}
          onRemove={() => onChange({ light })}
        />
      )}
      {choosing && <ImageDialog onChoose={choose} onClose={() => setChoosing(null)} />}
    </div>
  );
}

interface ImageRowProps {
  label: string;
  files: ImageFiles | undefined;
  disabled: boolean;
  onChoose: () => void;
  /** Null if the image is required. */
  onRemove: (() => void) | null;
}

function ImageRow({ label, files, disabled, onChoose, onRemove }: ImageRowProps) {
  const verb = files ? 'Change' : 'Choose';
  const reason = disabled ? 'You may only read this paywall.' : null;
  return (
    <div className="flex items-center gap-2">
      {files && (
        <span className="size-12 shrink-0 overflow-hidden rounded border border-line">
          <Picture files={files} label={label} />
        </span>
      )}
      <span className="min-w-0 flex-1 text-sm">
        {label}
        <span className="block text-xs text-muted">
          {files ? `${files.width} × ${files.height}` : 'None'}
        </span>
      </span>
      <Button size="sm" aria-label={`${verb}: ${label}`} disabledReason={reason} onClick={onChoose}>
        {verb}
      </Button>
      {files && onRemove && (
        <IconButton
          size="sm"
          icon="x"
          label={`Remove: ${label}`}
          disabledReason={reason}
          onClick={onRemove}
        />
      )}
    </div>
  );
}
