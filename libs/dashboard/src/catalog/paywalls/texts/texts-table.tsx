import { useState } from 'react';
import { Button, IconButton } from '../../../ui/button.js';
import { ScrollFrame } from '../../../ui/scroll-frame.js';
import { DataText } from '../../../ui/text/data-text.js';
import type { PaywallDocument } from '../paywall.types.js';
import { languageName } from './languages.js';
import { TextCell } from './text-cell.js';
import { textOf, type TextRow } from './text-rows.js';

/** Thousands of text fields at once would make typing slow. */
const ROWS_AT_ONCE = 100;

interface TextsTableProps {
  document: PaywallDocument;
  rows: readonly TextRow[];
  /** The default language first. */
  locales: readonly string[];
  readOnly: boolean;
  onChange: (locale: string, id: string, text: string) => void;
  onRemove: (locale: string) => void;
}

/** Texts by row, languages by column. */
export function TextsTable({ document, rows, locales, readOnly, onChange, onRemove }: TextsTableProps) {
  const [shown, setShown] = useState(ROWS_AT_ONCE);
  const first = document.default_locale;
  return (
    <>
      <ScrollFrame label="Texts by language">
        <table aria-label="Texts" className="w-full border-collapse text-start">
          <thead>
            <tr className="border-b border-line text-sm text-muted">
              <th scope="col" className="w-56 min-w-32 px-4 py-2 text-start font-medium">
                Component
              </th>
              {locales.map((locale) => (
                <th key={locale} scope="col" className="min-w-60 px-2 py-2 text-start font-medium">
                  <DataText>{languageName(locale)}</DataText>
                  <span className="ms-1.5 text-xs font-normal whitespace-nowrap">
                    {locale === first ? `${locale}, default` : locale}
                  </span>
                  {locale !== first && !readOnly && (
                    <IconButton
                      size="sm"
                      icon="trash"
                      className="ms-1 align-middle"
                      label={`Remove ${languageName(locale)}`}
                      onClick={() => onRemove(locale)}
                    />
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shown).map(({ id, component }) => {
              const instead = textOf(document, first, id);
              return (
                <tr key={id} className="border-b border-line align-top last:border-0">
                  <th scope="row" className="px-4 py-3 text-start text-sm font-normal">
                    <DataText>{component}</DataText>
                  </th>
                  {locales.map((locale) => (
                    <td key={locale} className="p-2">
                      <TextCell
                        id={id}
                        locale={locale}
                        text={textOf(document, locale, id)}
                        label={`${component}, ${languageName(locale)}`}
                        instead={instead}
                        readOnly={readOnly}
                        onChange={onChange}
                      />
                    </td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </ScrollFrame>
      {rows.length > shown && (
        <div className="border-t border-line p-3 text-center">
          <Button onClick={() => setShown(shown + ROWS_AT_ONCE)}>
            {`Show more (${rows.length - shown} left)`}
          </Button>
        </div>
      )}
    </>
  );
}
