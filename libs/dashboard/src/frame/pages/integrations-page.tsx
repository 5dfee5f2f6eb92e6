import { useLocation, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { allowanceIn, useProject } from '../../api/permissions.js';
import { LinkTabs } from '../../ui/link-tabs.js';
import { integrationPages } from '../navigation/navigation.js';
import { Page } from './page.js';

interface IntegrationsPageProps {
  /** The label of the page's tab. */
  tab: string;
  actions?: ReactNode;
  children: ReactNode;
}

/** The frame of the lists of integrations, which are tabs of one page. */
export function IntegrationsPage({ tab, actions, children }: IntegrationsPageProps) {
  const { projectId } = useParams({ strict: false });
  const { pathname } = useLocation();
  const project = useProject();
  const base = `/projects/${projectId}`;
  return (
    <Page title="Integrations" windowTitle={tab} actions={actions} inTurn>
      <LinkTabs
        label="Integrations"
        tabs={integrationPages
          .filter(({ operation }) => allowanceIn(project, operation).allowed)
          .map(({ path, label }) => ({ href: base + path, label, isCurrent: pathname === base + path }))}
      />
      {children}
    </Page>
  );
}
