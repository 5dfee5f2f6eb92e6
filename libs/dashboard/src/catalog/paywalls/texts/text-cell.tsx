import { memo } from 'react';
import { cx } from '../../../ui/cx.js';
import { controlClass } from '../../../ui/forms/field.js';

interface TextCellProps {
  id: string;
  locale: string;
  /** Undefined if the language lacks the text. */
  text: string | undefined;
  /** Accessible name: the component and the language. */
  label: string;
  /** Shown where the text is missing: the text of the default language, which apps show instead. */
  instead: string | undefined;
  readOnly: boolean;
  onChange: (locale: string, id: string, text: string) => void;
}

/** One text in one language. */
export const TextCell = memo(function TextCell(props: TextCellProps) {
  const { id, locale, text, label, instead, readOnly, onChange } = props;
  const isMissing = text === undefined;
  return (
    <textarea
      rows={1}
      lang={locale.replaceAll('_', '-')}
      dir="auto"
      aria-label={isMissing ? `${label}, missing` : label}
      data-missing={isMissing || undefined}
      value={text ?? ''}
      placeholder={isMissing ? (instead ?? 'Missing') : undefined}
      readOnly={readOnly}
      maxLength={5000}
      onChange={({ target }) => onChange(locale, id, target.value)}
      className={cx(
        controlClass,
        'field-sizing-content min-h-8 resize-none py-0.75 placeholder:italic',
        isMissing && 'border-dashed border-warn! bg-warn/10',
      )}
    />
  );
});
