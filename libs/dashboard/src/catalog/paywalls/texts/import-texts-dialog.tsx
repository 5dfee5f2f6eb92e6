import { useState } from 'react';
import { Button } from '../../../ui/button.js';
import { controlClass, Field } from '../../../ui/forms/field.js';
import { Dialog } from '../../../ui/overlays/dialog.js';
import { useToast } from '../../../ui/overlays/toast.js';
import { DataText } from '../../../ui/text/data-text.js';
import { usePaywallDocument } from '../editor/paywall-editor-context.js';
import type { PaywallDocument } from '../paywall.types.js';
import { languageName } from './languages.js';
import { readTexts, type TextChange, type TextsImport, UnusableFile, withTexts } from './texts-import.js';

const LARGEST_FILE = 5 * 1024 * 1024;
const SHOWN_CHANGES = 200;

async function readFile(document: PaywallDocument, file: File): Promise<TextsImport | string> {
  if (file.size > LARGEST_FILE) return 'The file is larger than 5 MB.';
  try {
    return await readTexts(document, await file.text());
  } catch (error) {
    return error instanceof UnusableFile ? error.message : 'The file could not be read.';
  }
}

const inWords = (count: number): string => (count === 1 ? '1 text' : `${count} texts`);

/** Shows what a CSV file would change, then changes it in one step of the history. */
export function ImportTextsDialog({ onClose }: { onClose: () => void }) {
  const { document, dispatch } = usePaywallDocument();
  const toast = useToast();
  const [result, setResult] = useState<TextsImport | string | null>(null);
  const found = typeof result === 'string' ? null : result;
  const changes = found?.changes ?? [];
  const apply = () => {
    dispatch({ type: 'set', path: ['components_localizations'], value: withTexts(document, changes) });
    toast({ title: `${inWords(changes.length)} changed.` });
    onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      size="lg"
      title="Import texts"
      description="A CSV file in the form of the export. Empty cells change nothing."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            disabledReason={changes.length === 0 ? 'Choose a file with changed texts.' : null}
            onClick={apply}
          >
            {changes.length === 0 ? 'Change texts' : `Change ${inWords(changes.length)}`}
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-1 gap-4">
        <Field label="File" error={typeof result === 'string' ? result : null}>
          {(ids) => (
            <input
              {...ids}
              type="file"
              accept=".csv,text/csv"
              className={`${controlClass} py-1 text-sm`}
              onChange={({ target }) => {
                const file = target.files?.[0];
                if (file) void readFile(document, file).then(setResult);
              }}
            />
          )}
        </Field>
        {found && <Outcome {...found} />}
      </div>
    </Dialog>
  );
}

function Outcome({ changes, newLocales, ignored }: TextsImport) {
  return (
    <div role="status" className="grid grid-cols-1 gap-2">
      {changes.length === 0 && <p>The file changes nothing.</p>}
      {newLocales.length > 0 && <p>{`Adds ${newLocales.map(languageName).join(', ')}.`}</p>}
      {ignored.map((sentence) => (
        <p key={sentence} className="text-warn">
          {sentence}
        </p>
      ))}
      {changes.length > 0 && <Changes changes={changes} />}
    </div>
  );
}

function Changes({ changes }: { changes: readonly TextChange[] }) {
  return (
    <>
      <table aria-label="Changes" className="w-full table-fixed border-collapse text-sm">
        <thead>
          <tr className="border-b border-line text-muted">
            {['Text', 'Before', 'After'].map((heading) => (
              <th key={heading} scope="col" className="py-1.5 pe-3 text-start font-medium">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {changes.slice(0, SHOWN_CHANGES).map(({ id, component, locale, before, after }) => (
            <tr key={`${locale} ${id}`} className="border-b border-line align-top last:border-0">
              <th scope="row" className="py-1.5 pe-3 text-start font-normal">
                <DataText>{component}</DataText>
                <span className="block text-xs text-muted">{locale}</span>
              </th>
              <td className="py-1.5 pe-3">
                {before === undefined ? (
                  <span className="text-muted italic">missing</span>
                ) : (
                  <DataText>{before}</DataText>
                )}
              </td>
              <td className="py-1.5 pe-3 whitespace-pre-wrap">
                <DataText>{after}</DataText>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {changes.length > SHOWN_CHANGES && (
        <p className="text-muted">{`And ${changes.length - SHOWN_CHANGES} more.`}</p>
      )}
    </>
  );
}
