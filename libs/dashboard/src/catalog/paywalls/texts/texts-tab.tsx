import { useCallback, useEffect, useRef, useState } from 'react';
import { Button } from '../../../ui/button.js';
import { Switch } from '../../../ui/forms/choice.js';
import { download } from '../../../ui/format/download.js';
import { EmptyState } from '../../../ui/loading/empty-state.js';
import { useToast } from '../../../ui/overlays/toast.js';
import { Panel } from '../../../ui/panel.js';
import { usePaywallDocument } from '../editor/paywall-editor-context.js';
import { AddLanguageDialog } from './add-language-dialog.js';
import { ImportTextsDialog } from './import-texts-dialog.js';
import { languageName } from './languages.js';
import { localesOf, textOf, textRowsOf } from './text-rows.js';
import { textsCsv } from './texts-csv.js';
import { TextsTable } from './texts-table.js';

/** Changes one text. The function stays the same, so that only the changed field renders. */
function useChangeText() {
  const editor = usePaywallDocument();
  const latest = useRef(editor);
  useEffect(() => {
    latest.current = editor;
  });
  return useCallback((locale: string, id: string, text: string) => {
    const { document, dispatch } = latest.current;
    // An emptied translation is a missing one: apps show the default language.
    const value = text === '' && locale !== document.default_locale ? undefined : text;
    dispatch({ type: 'set', path: ['components_localizations', locale, id], value });
  }, []);
}

/** The texts of the paywall by language. */
export function TextsTab() {
  const { document, dispatch, canWrite } = usePaywallDocument();
  const toast = useToast();
  const change = useChangeText();
  const [dialog, setDialog] = useState<'language' | 'import' | null>(null);
  // The rows stay while they are being filled in.
  const [incomplete, setIncomplete] = useState<ReadonlySet<string> | null>(null);
  const all = textRowsOf(document);
  const locales = localesOf(document);
  const missing = all.filter(({ id }) =>
    locales.some((locale) => textOf(document, locale, id) === undefined),
  );
  const rows = incomplete ? all.filter(({ id }) => incomplete.has(id)) : all;
  const remove = (locale: string) => {
    dispatch({ type: 'set', path: ['components_localizations', locale], value: undefined });
    toast({ title: `${languageName(locale)} removed.`, description: 'Undo brings it back.' });
  };
  const reason = canWrite ? null : 'You may only read this paywall.';
  return (
    <Panel
      title="Texts"
      description={
        missing.length === 0
          ? 'No text is missing.'
          : `Missing in a language: ${missing.length} of ${all.length}. Apps show the default language there.`
      }
      padded={false}
      actions={
        <>
          <Switch
            label="Missing only"
            checked={incomplete !== null}
            onChange={({ target }) =>
              setIncomplete(target.checked ? new Set(missing.map(({ id }) => id)) : null)
            }
          />
          <Button icon="plus" disabledReason={reason} onClick={() => setDialog('language')}>
            Add language
          </Button>
          <Button icon="download" onClick={() => download('texts.csv', textsCsv(document), 'text/csv')}>
            Export CSV
          </Button>
          <Button disabledReason={reason} onClick={() => setDialog('import')}>
            Import CSV
          </Button>
        </>
      }
    >
      {rows.length > 0 ? (
        <TextsTable
          document={document}
          rows={rows}
          locales={locales}
          readOnly={!canWrite}
          onChange={change}
          onRemove={remove}
        />
      ) : (
        <EmptyState
          sentence={all.length === 0 ? 'This paywall has no texts yet.' : 'No text is missing in a language.'}
        />
      )}
      {dialog === 'language' && <AddLanguageDialog onClose={() => setDialog(null)} />}
      {dialog === 'import' && <ImportTextsDialog onClose={() => setDialog(null)} />}
    </Panel>
  );
}
