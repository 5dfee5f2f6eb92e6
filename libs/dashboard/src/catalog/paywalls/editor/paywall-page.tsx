import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react';
import { useDirtyForm } from '../../../frame/forms/dirty-forms.js';
import { Page } from '../../../frame/pages/page.js';
import { IconButton } from '../../../ui/button.js';
import { QueryPanel } from '../../../ui/loading/query-panel.js';
import { Skeleton } from '../../../ui/loading/skeleton.js';
import { Tabs } from '../../../ui/tabs.js';
import type { Paywall } from '../paywall.types.js';
import { paywallQuery, paywallSchemaQuery } from '../paywalls.queries.js';
import { HistoryButton } from '../publishing/history-button.js';
import { PublishButton } from '../publishing/publish-button.js';
import { ProblemsButton } from './bar/problems-button.js';
import { SaveNote } from './bar/save-note.js';
import { type View, ViewControls } from './bar/view-controls.js';
import { ConflictNote } from './conflict-note.js';
import { DesignTab } from './design-tab.js';
import { type PaywallEditor, PaywallEditorContext } from './paywall-editor-context.js';
import { RenameButton } from './rename-button.js';
import type { SchemaNode } from './schema/document-schema.js';
import { usePaywallEditor } from './use-paywall-editor.js';

const TextsTab = lazy(() => import('../texts/texts-tab.js').then((module) => ({ default: module.TextsTab })));
const JsonTab = lazy(() => import('./json-tab.js').then((module) => ({ default: module.JsonTab })));

const route = getRouteApi('/signed-in/projects/$projectId/catalog/paywalls/$paywallId');

export default function PaywallPage() {
  const { projectId, paywallId } = route.useParams();
  const paywall = useQuery(paywallQuery(projectId, paywallId));
  const schema = useQuery(paywallSchemaQuery);
  if (paywall.data && schema.data)
    return <EditorPage key={paywallId} paywall={paywall.data} schema={schema.data as SchemaNode} />;
  const missing = paywall.data ? schema : paywall;
  return (
    <Page title={paywall.data?.name ?? 'Paywall'}>
      <QueryPanel query={missing} queryKey={paywallQuery(projectId, paywallId).queryKey}>
        {() => null}
      </QueryPanel>
    </Page>
  );
}

const tabs = [
  { id: 'design', label: 'Design' },
  { id: 'texts', label: 'Texts' },
  { id: 'json', label: 'JSON' },
] as const;

function EditorPage({ paywall, schema }: { paywall: Paywall; schema: SchemaNode }) {
  const { tab = 'design' } = route.useSearch();
  const navigate = route.useNavigate();
  const setTab = (id: (typeof tabs)[number]['id']) =>
    void navigate({ search: { tab: id === 'design' ? undefined : id }, replace: true });
  const editor = usePaywallEditor(paywall, schema, setTab);
  const [view, setView] = useState<View>({ device: 'phone', isDark: false });
  const [json, setJson] = useState<string | null>(null);
  useDirtyForm(editor.saveState.status !== 'saved');
  useUndoKeys(editor);
  return (
    <PaywallEditorContext value={editor}>
      <Page
        title={paywall.name}
        badges={
          <span className="flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1">
            {editor.canWrite && <RenameButton />}
            <SaveNote />
            <ProblemsButton />
          </span>
        }
        actions={
          <>
            {editor.canWrite && <UndoButtons editor={editor} />}
            {tab === 'design' && <ViewControls view={view} onChange={setView} />}
            <HistoryButton />
            {editor.canWrite && <PublishButton />}
          </>
        }
      >
        <ConflictNote />
        <div>
          <Tabs label="Parts of the paywall" tabs={tabs} value={tab} onChange={setTab}>
            <Suspense fallback={<Skeleton />}>
              {tab === 'design' && <DesignTab view={view} />}
              {tab === 'texts' && <TextsTab />}
              {tab === 'json' && <JsonTab draft={json} setDraft={setJson} />}
            </Suspense>
          </Tabs>
        </div>
      </Page>
    </PaywallEditorContext>
  );
}

function UndoButtons({ editor: { undo, redo } }: { editor: PaywallEditor }) {
  return (
    <span className="flex">
      <IconButton
        icon="undo"
        label="Undo"
        disabledReason={undo ? null : 'Nothing to undo.'}
        onClick={undo ?? undefined}
      />
      <IconButton
        icon="undo"
        label="Redo"
        className="-scale-x-100"
        disabledReason={redo ? null : 'Nothing to do again.'}
        onClick={redo ?? undefined}
      />
    </span>
  );
}

/** Ctrl+Z and Ctrl+Shift+Z anywhere but in text outside the document, such as JSON that is not applied. */
function useUndoKeys({ undo, redo }: PaywallEditor): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const key = event.key.toLowerCase();
    const isElsewhere =
      event.target instanceof Element &&
      event.target.closest('[role=dialog], [aria-label="Paywall as JSON"]');
    if (!(event.ctrlKey || event.metaKey) || event.altKey || isElsewhere || (key !== 'z' && key !== 'y'))
      return;
    event.preventDefault();
    (key === 'y' || event.shiftKey ? redo : undo)?.();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, []);
}
