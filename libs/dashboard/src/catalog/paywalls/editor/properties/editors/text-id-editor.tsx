import { useId } from 'react';
import { asText } from '../../document/json-path.js';
import { cx } from '../../../../../ui/cx.js';
import { usePaywallDocument } from '../../paywall-editor-context.js';
import { inputClass } from '../property-row.js';
import { useChange } from '../use-change.js';
import { type EditorProps, RemoveButton } from './editor-props.js';

/** A text in the chosen language. */
export function TextIdEditor({ field, path, value, disabled }: EditorProps) {
  const { document, locale } = usePaywallDocument();
  const { components_localizations: all, default_locale: fallback } = document;
  const id = useId();
  const lid = asText(value ?? '');
  const change = useChange(['components_localizations', locale, lid]);
  const text = all[locale]?.[lid];
  const standard = all[fallback]?.[lid];
  const shown = typeof text === 'string' ? text : '';
  return (
    <div>
      <div className="flex min-h-7 items-center justify-between">
        <label htmlFor={id} className="text-sm text-muted">
          {field.title}
          {locale !== fallback && <span className="ms-1.5 text-xs">{locale}</span>}
        </label>
        <RemoveButton {...{ field, path, disabled }} />
      </div>
      <textarea
        id={id}
        rows={field.name === 'url_lid' ? 1 : Math.min(6, Math.max(2, shown.split('\n').length))}
        maxLength={5000}
        disabled={disabled}
        placeholder={typeof standard === 'string' ? standard : undefined}
        value={shown}
        onChange={({ target }) =>
          change(target.value === '' && locale !== fallback ? undefined : target.value)
        }
        className={cx(inputClass, 'h-auto! resize-y py-1')}
      />
    </div>
  );
}
