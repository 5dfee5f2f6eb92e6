import type { ImageSource } from '../paywall.types.js';

export interface ImageFieldProps {
  label: string;
  /** Undefined if there is no image. */
  value: ImageSource | undefined;
  /** Receives undefined if the image is removed, which only an optional image allows. */
  onChange: (value: ImageSource | undefined) => void;
  isOptional: boolean;
  disabled: boolean;
}

/** An image of a document, chosen from the uploaded ones. */
export function ImageField({ label, value }: ImageFieldProps) {
  return (
    <p>
      {label}: {value ? `${value.light.width} × ${value.light.height}` : 'none'}
    </p>
  );
}
