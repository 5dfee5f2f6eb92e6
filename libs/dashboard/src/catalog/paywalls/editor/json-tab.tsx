import { useId } from 'react';
import { useDirtyForm } from '../../../frame/forms/dirty-forms.js';
import { Button } from '../../../ui/button.js';
import { controlClass, FieldError } from '../../../ui/forms/field.js';
import { CopyButton } from '../../../ui/text/copy-button.js';
import { documentProblem, parsedDocument } from './document/document-text.js';
import { usePaywallDocument } from './paywall-editor-context.js';

interface JsonTabProps {
  /** The typed text until it is applied; null shows the document. */
  draft: string | null;
  setDraft: (draft: string | null) => void;
}

/** The document as JSON, to read and to replace. */
export function JsonTab({ draft, setDraft }: JsonTabProps) {
  const { document, schema, dispatch, canWrite } = usePaywallDocument();
  const id = useId();
  useDirtyForm(draft !== null);
  const text = draft ?? JSON.stringify(document, null, 2);
  const problem = draft === null ? null : documentProblem(schema, draft);
  const apply = () => {
    dispatch({ type: 'set', path: [], value: parsedDocument(text) });
    setDraft(null);
  };
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p id={`${id}-hint`} className="text-muted">
          Read it, or paste another one. Apply replaces the whole paywall, and can be undone.
        </p>
        <div className="flex gap-2">
          <CopyButton value={text} label="JSON" worded />
          {canWrite && draft !== null && <Button onClick={() => setDraft(null)}>Discard</Button>}
          {canWrite && (
            <Button
              variant="primary"
              disabledReason={draft === null ? 'Nothing has changed.' : problem}
              onClick={apply}
            >
              Apply
            </Button>
          )}
        </div>
      </div>
      {problem !== null && <FieldError id={`${id}-error`}>{problem}</FieldError>}
      <textarea
        aria-label="Paywall as JSON"
        aria-describedby={problem === null ? `${id}-hint` : `${id}-error`}
        aria-invalid={problem !== null || undefined}
        spellCheck={false}
        readOnly={!canWrite}
        value={text}
        onChange={({ target }) => setDraft(target.value)}
        className={`${controlClass} h-[max(24rem,calc(100dvh-18rem))] resize-y py-2 font-mono leading-5 pointer-fine:text-sm!`}
      />
    </div>
  );
}
