import { useEffect, useEffectEvent, useReducer, useState } from 'react';
import { useMay } from '../../../api/permissions.js';
import { contentOf, documentOf, type Path, type Paywall } from '../paywall.types.js';
import { useUpdatePaywall } from '../paywalls.queries.js';
import { type DocumentChange, pathAfter } from './document/document-changes.js';
import { historyReducer, newHistory } from './document/document-history.js';
import { DocumentSaver } from './document/document-saver.js';
import { pathOf } from './document/json-path.js';
import { isAboutTexts, type Pane, type PaywallEditor, type SaveState } from './paywall-editor-context.js';
import type { SchemaNode } from './schema/document-schema.js';
import { contentPath, layerAt, layersOf } from './schema/layers.js';

/** The state of the editor: the document, its history and what the server has of it. */
export function usePaywallEditor(
  paywall: Paywall,
  schema: SchemaNode,
  onShow: (tab: 'design' | 'texts') => void,
): PaywallEditor {
  const { project_id: projectId, id } = paywall;
  const { mutateAsync } = useUpdatePaywall(projectId, id);
  const canWrite = useMay('updatePaywall').allowed;
  const content = contentOf(paywall)!;
  const [history, act] = useReducer(historyReducer, content, (loaded) => newHistory(documentOf(loaded)));
  const [saveState, setSaveState] = useState<SaveState>({ status: 'saved' });
  const [selected, select] = useState(contentPath);
  const [awaited, setAwaited] = useState<Path | null>(null);
  const [pane, setPane] = useState<Pane>('layers');
  const [locale, setLocale] = useState(content.default_locale);
  const [saver] = useState(
    () =>
      new DocumentSaver({
        send: (body) => mutateAsync(body),
        document: history.present,
        revision: content.revision,
        onState: setSaveState,
      }),
  );
  const document = history.present;
  const reset = (theirs: Paywall) => {
    const newest = contentOf(theirs);
    if (!newest) return;
    const loaded = documentOf(newest);
    saver.reset(loaded, newest.revision);
    act({ type: 'reset', document: loaded });
  };
  const adoptNewer = useEffectEvent(() => {
    if (saveState.status === 'saved' && content.revision > saver.revision) reset(paywall);
  });
  useEffect(() => saver.update(document), [saver, document]);
  useEffect(() => adoptNewer(), [content.revision, saveState.status]);
  useEffect(() => () => saver.stop(), [saver]);
  return {
    projectId,
    paywall,
    document,
    schema,
    dispatch: (change: DocumentChange) => {
      if (canWrite) act({ type: 'change', change, atMs: Date.now() });
      return pathAfter(change);
    },
    undo: history.past.length > 0 ? () => act({ type: 'undo' }) : null,
    redo: history.future.length > 0 ? () => act({ type: 'redo' }) : null,
    reset,
    revision: saver.revision,
    saveState,
    saveNow: () => saver.saveNow(),
    problems: paywall.problems ?? [],
    showProblem: ({ path: pointer }) => {
      const path = pathOf(pointer);
      if (isAboutTexts(path)) return onShow('texts');
      select(layerAt(layersOf(schema, document), path).path);
      setPane('properties');
      setAwaited(path);
      onShow('design');
    },
    awaited,
    onFocused: () => setAwaited(null),
    selected,
    select,
    locale: Object.hasOwn(document.components_localizations, locale) ? locale : document.default_locale,
    setLocale,
    canWrite,
    pane,
    setPane,
  };
}
