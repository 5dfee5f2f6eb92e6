import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useReducer, useState } from 'react';
import { useMay } from '../../../api/permissions.js';
import { contentOf, documentOf, type Path, type Paywall } from '../paywall.types.js';
import { paywallKey, useUpdatePaywall } from '../paywalls.queries.js';
import { type DocumentChange, pathAfter } from './document/document-changes.js';
import { historyReducer, newHistory } from './document/document-history.js';
import { DocumentSaver } from './document/document-saver.js';
import type { PaywallEditor, SaveState } from './paywall-editor-context.js';

const rootStack: Path = ['components_config', 'base', 'stack'];

/** The state of the editor: the document, its history and what the server has of it. */
export function usePaywallEditor(paywall: Paywall): PaywallEditor {
  const { project_id: projectId, id } = paywall;
  const queries = useQueryClient();
  const { mutateAsync } = useUpdatePaywall(projectId, id);
  const canWrite = useMay('updatePaywall').allowed;
  const content = contentOf(paywall)!;
  const [history, act] = useReducer(historyReducer, content, (loaded) => newHistory(documentOf(loaded)));
  const [saveState, setSaveState] = useState<SaveState>({ status: 'saved' });
  const [selected, select] = useState(rootStack);
  const [locale, setLocale] = useState(content.default_locale);
  const [saver] = useState(
    () =>
      new DocumentSaver({
        send: (body) => mutateAsync(body),
        document: history.present,
        revision: content.revision,
        onState: setSaveState,
        onSaved: (saved) =>
          queries.setQueryData(paywallKey(projectId, id), (before: Paywall | undefined) => ({
            ...before,
            ...saved,
          })),
      }),
  );
  const document = history.present;
  useEffect(() => saver.update(document), [saver, document]);
  useEffect(() => () => saver.stop(), [saver]);
  return {
    projectId,
    paywall,
    document,
    dispatch: (change: DocumentChange) => {
      if (!canWrite) return;
      act({ type: 'change', change, atMs: Date.now() });
      if (change.type === 'insert' || change.type === 'move' || change.type === 'duplicate')
        select(pathAfter(change));
    },
    undo: history.past.length > 0 ? () => act({ type: 'undo' }) : null,
    redo: history.future.length > 0 ? () => act({ type: 'redo' }) : null,
    reset: (theirs) => {
      const newest = contentOf(theirs);
      if (!newest) return;
      const loaded = documentOf(newest);
      saver.reset(loaded, newest.revision);
      act({ type: 'reset', document: loaded });
    },
    revision: saver.revision,
    saveState,
    saveNow: () => saver.saveNow(),
    problems: paywall.problems ?? [],
    selected,
    select,
    locale: Object.hasOwn(document.components_localizations, locale) ? locale : document.default_locale,
    setLocale,
    canWrite,
  };
}
