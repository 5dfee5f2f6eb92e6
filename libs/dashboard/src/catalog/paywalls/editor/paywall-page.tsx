import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useDirtyForm } from '../../../frame/forms/dirty-forms.js';
import { Page } from '../../../frame/pages/page.js';
import { QueryPanel } from '../../../ui/loading/query-panel.js';
import { Tabs } from '../../../ui/tabs.js';
import { HistoryButton } from '../publishing/history-button.js';
import { PublishButton } from '../publishing/publish-button.js';
import { TextsTab } from '../texts/texts-tab.js';
import type { Paywall } from '../paywall.types.js';
import { paywallQuery } from '../paywalls.queries.js';
import { PaywallEditorContext } from './paywall-editor-context.js';
import { PhoneColumn } from './phone-column.js';
import { usePaywallEditor } from './use-paywall-editor.js';

const route = getRouteApi('/signed-in/projects/$projectId/catalog/paywalls/$paywallId');

export default function PaywallPage() {
  const { projectId, paywallId } = route.useParams();
  const query = useQuery(paywallQuery(projectId, paywallId));
  if (query.data) return <PaywallEditorPage key={paywallId} paywall={query.data} />;
  return (
    <Page title="Paywall">
      <QueryPanel query={query} queryKey={paywallQuery(projectId, paywallId).queryKey}>
        {() => null}
      </QueryPanel>
    </Page>
  );
}

function PaywallEditorPage({ paywall }: { paywall: Paywall }) {
  const { tab = 'design' } = route.useSearch();
  const navigate = route.useNavigate();
  const editor = usePaywallEditor(paywall);
  useDirtyForm(editor.saveState.status !== 'saved');
  return (
    <PaywallEditorContext value={editor}>
      <Page
        title={paywall.name}
        actions={
          <>
            <HistoryButton />
            <PublishButton />
          </>
        }
      >
        <Tabs
          label="Parts of the paywall"
          tabs={[
            { id: 'design', label: 'Design' },
            { id: 'texts', label: 'Texts' },
            { id: 'json', label: 'JSON' },
          ]}
          value={tab}
          onChange={(id) =>
            void navigate({ search: { tab: id === 'design' ? undefined : id }, replace: true })
          }
        >
          {tab === 'design' && <PhoneColumn />}
          {tab === 'texts' && <TextsTab />}
        </Tabs>
      </Page>
    </PaywallEditorContext>
  );
}
