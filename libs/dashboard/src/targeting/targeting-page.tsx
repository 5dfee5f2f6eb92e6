import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { appsQuery } from '../api/apps.queries.js';
import { docsOf } from '../api/docs-link.js';
import { useMay } from '../api/permissions.js';
import { offeringNamesQuery } from '../api/offerings.queries.js';
import { Page } from '../frame/pages/page.js';
import { Badge } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { type Column, DataList } from '../ui/lists/data-list.js';
import { DataText } from '../ui/text/data-text.js';
import { EmptyState } from '../ui/loading/empty-state.js';
import { Menu } from '../ui/overlays/menu.js';
import { Panel } from '../ui/panel.js';
import { QueryPanel } from '../ui/loading/query-panel.js';
import { SkeletonRows } from '../ui/loading/skeleton.js';
import type { Tone } from '../ui/tone.js';
import { visibleText } from '../ui/text/visible-text.js';
import { conditionWords } from '../frame/conditions/condition-words.js';
import { DeleteRuleDialog } from './delete-rule-dialog.js';
import { PreviewPanel } from './preview-panel.js';
import { RuleDialog } from './rule-dialog.js';
import { type RuleState, rulesQuery, type TargetingRule } from './targeting.queries.js';
import { type RuleAction, useRuleItems } from './use-rule-items.js';
import { stateLabels } from './labels.js';

const route = getRouteApi('/signed-in/projects/$projectId/targeting');
const tones: Record<RuleState, Tone> = { active: 'good', scheduled: 'accent', inactive: 'neutral' };
const noRules: readonly TargetingRule[] = [];

/** Live and scheduled rules are evaluated in an order; other rules have no position. */
const isAsked = ({ state }: TargetingRule): boolean => state !== 'inactive';

export default function TargetingPage(): ReactNode {
  const { projectId } = route.useParams();
  const rules = useQuery(rulesQuery(projectId));
  const { data: offerings = [] } = useQuery(offeringNamesQuery(projectId));
  const { data: apps = [] } = useQuery(appsQuery(projectId));
  const mayCreate = useMay('createTargetingRule');
  const [open, setOpen] = useState<{ action: RuleAction; rule: TargetingRule | null } | null>(null);
  const live = (rules.data ?? noRules).filter(isAsked);
  const itemsOf = useRuleItems(projectId, live, (action, rule) => setOpen({ action, rule }));
  const nameOf = (list: readonly { id: string; name: string }[], id: string) =>
    list.find((one) => one.id === id)?.name ?? id;
  const offeringName = (id: string) => offerings.find((one) => one.id === id)?.display_name ?? id;
  const create = (
    <Button
      variant="primary"
      icon="plus"
      disabledReason={mayCreate.reason}
      onClick={() => setOpen({ action: 'edit', rule: null })}
    >
      New rule
    </Button>
  );
  const columns: Column<TargetingRule>[] = [
    {
      id: 'name',
      header: 'Rule',
      priority: 1,
      cell: (rule) => <DataText truncate>{rule.display_name}</DataText>,
    },
    {
      id: 'audience',
      header: 'Audience',
      cell: ({ conditions }) =>
        conditions.length === 0 ? (
          'Everyone'
        ) : (
          <DataText truncate>
            {conditions.map((one) => conditionWords(one, (id) => nameOf(apps, id))).join('; ')}
          </DataText>
        ),
    },
    {
      id: 'offering',
      header: 'Offering',
      cell: ({ offering_id: id }) => <DataText truncate>{offeringName(id)}</DataText>,
    },
    {
      id: 'state',
      header: 'State',
      width: '7rem',
      cell: ({ state }) => <Badge tone={tones[state]}>{stateLabels[state]}</Badge>,
    },
    {
      id: 'actions',
      header: <span className="sr-only">Edit</span>,
      width: '3rem',
      align: 'end',
      priority: 1,
      cell: (rule) => (
        <Menu
          iconOnly
          size="sm"
          label={`Actions for ${visibleText(rule.display_name)}`}
          items={itemsOf(rule)}
        />
      ),
    },
  ];
  const list = (label: string, rows: readonly TargetingRule[]) => (
    <DataList label={label} rows={rows} columns={columns} rowKey={({ id }) => id} />
  );
  return (
    <Page
      title="Targeting"
      note="Rules that decide which offering a customer sees. The first live rule that matches wins; otherwise the current offering is used."
      actions={create}
      inTurn
    >
      <Panel title="Live and scheduled" description="Evaluated top to bottom." padded={false}>
        <QueryPanel query={rules} queryKey={rulesQuery(projectId).queryKey} skeleton={<SkeletonRows />}>
          {(all) =>
            all.length === 0 ? (
              <EmptyState
                sentence="A rule shows an offering to some customers: by country, app, version, attribute or share."
                action={create}
                docs={docsOf('Targeting')}
              />
            ) : live.length === 0 ? (
              <p className="px-4 py-6 text-muted">
                No rule is live. Every customer sees the current offering.
              </p>
            ) : (
              list('Live and scheduled', live)
            )
          }
        </QueryPanel>
      </Panel>
      {rules.data?.some((rule) => !isAsked(rule)) && (
        <Panel title="Off" padded={false}>
          {list(
            'Off',
            rules.data.filter((rule) => !isAsked(rule)),
          )}
        </Panel>
      )}
      <PreviewPanel projectId={projectId} offeringName={offeringName} />
      {open?.action === 'edit' && (
        <RuleDialog projectId={projectId} rule={open.rule} onClose={() => setOpen(null)} />
      )}
      {open?.action === 'delete' && open.rule && (
        <DeleteRuleDialog projectId={projectId} rule={open.rule} onClose={() => setOpen(null)} />
      )}
    </Page>
  );
}
