import { ImageField } from '../../../media/image-field.js';
import type { ImageSource } from '../../../paywall.types.js';
import { asText, isObject } from '../../document/json-path.js';
import { usePaywallDocument } from '../../paywall-editor-context.js';
import { useChange } from '../use-change.js';
import type { EditorProps } from './editor-props.js';

const imageOf = (value: unknown): ImageSource | undefined =>
  isObject(value) ? (value as ImageSource) : undefined;

/** An image. */
export function ImageEditor({ field, path, value, disabled }: EditorProps) {
  const change = useChange(path);
  return (
    <ImageField
      label={field.title}
      value={imageOf(value)}
      onChange={change}
      isOptional={!field.isRequired}
      disabled={disabled}
    />
  );
}

/** An image that depends on the language. */
export function LocalizedImageEditor({ field, path, value, disabled }: EditorProps) {
  const { document, locale } = usePaywallDocument();
  const lid = asText(value ?? '');
  const changeImage = useChange(['components_localizations', locale, lid]);
  const changeId = useChange(path);
  const { components_localizations: all, default_locale: fallback } = document;
  return (
    <ImageField
      label={`${field.title}, ${locale}`}
      value={imageOf(all[locale]?.[lid])}
      onChange={(image) =>
        image === undefined && locale === fallback ? changeId(undefined) : changeImage(image)
      }
      isOptional
      disabled={disabled}
    />
  );
}
