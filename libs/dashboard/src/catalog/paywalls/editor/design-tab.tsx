import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useSyncExternalStore } from 'react';
import { QueryPanel } from '../../../ui/loading/query-panel.js';
import { Tabs } from '../../../ui/tabs.js';
import { offeringQuery } from '../../offerings/offerings.queries.js';
import { paywallIconsQuery } from '../media/icons.queries.js';
import { paywallSettingsQuery } from '../paywalls.queries.js';
import type { View } from './bar/view-controls.js';
import { DesignContext } from './design-context.js';
import { LayersTree } from './layers/layers-tree.js';
import { type Pane, usePaywallDocument } from './paywall-editor-context.js';
import { PhoneColumn } from './phone-column.js';
import { PropertiesPanel } from './properties/properties-panel.js';
import { layerAt, layersOf } from './schema/layers.js';

const wide = '(min-width: 1100px)';
const medium = '(min-width: 760px)';

/** Whether a media query holds. */
function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = matchMedia(query);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    () => matchMedia(query).matches,
  );
}

/** Layers, phone and properties: in columns if there is room, otherwise in tabs. */
export function DesignTab({ view }: { view: View }) {
  const { projectId, paywall, document, schema, selected } = usePaywallDocument();
  const settings = useQuery(paywallSettingsQuery(projectId));
  const offering = useQuery(offeringQuery(projectId, paywall.offering_id));
  const { data: icons } = useQuery(paywallIconsQuery);
  const root = layersOf(schema, document);
  const packages = offering.data?.packages?.items ?? [];
  if (!settings.data)
    return (
      <QueryPanel query={settings} queryKey={paywallSettingsQuery(projectId).queryKey}>
        {() => null}
      </QueryPanel>
    );
  const design = {
    schema,
    root,
    layer: layerAt(root, selected),
    newValues: {
      iconsUrl: icons?.base_url ?? `${location.origin}/paywall-icons`,
      packageIds: packages.map(({ lookup_key: key }) => key),
    },
    settings: settings.data,
    packages,
  };
  return (
    <DesignContext value={design}>
      <Columns view={view} />
    </DesignContext>
  );
}

const panes: { id: Pane; label: string }[] = [
  { id: 'layers', label: 'Layers' },
  { id: 'properties', label: 'Properties' },
  { id: 'preview', label: 'Preview' },
];

const column =
  'h-[max(26rem,calc(100dvh-12.5rem))] min-w-0 flex-col overflow-hidden rounded-md border border-line bg-panel *:grow flex';

const Column = ({ children, className }: { children: ReactNode; className?: string }) => (
  <div className={`${column} ${className ?? ''}`}>{children}</div>
);

function Columns({ view }: { view: View }) {
  const isWide = useMedia(wide);
  const isMedium = useMedia(medium);
  const { pane: chosen, setPane } = usePaywallDocument();
  const phone = <PhoneColumn view={view} />;
  if (isWide)
    return (
      <div className="grid grid-cols-[minmax(13rem,1fr)_minmax(0,2fr)_19rem] gap-3 min-[1400px]:grid-cols-[17rem_minmax(0,1fr)_21rem]">
        <Column>
          <LayersTree />
        </Column>
        <Column className="bg-transparent!">{phone}</Column>
        <Column>
          <PropertiesPanel />
        </Column>
      </div>
    );
  const shown = isMedium ? panes.filter(({ id }) => id !== 'preview') : panes;
  const pane = shown.some(({ id }) => id === chosen) ? chosen : 'layers';
  const tabs = (
    <div className="min-w-0">
      <Tabs label="Editor" tabs={shown} value={pane} onChange={setPane}>
        <Column className="-mt-4 rounded-t-none border-t-0">
          {pane === 'layers' && <LayersTree />}
          {pane === 'properties' && <PropertiesPanel />}
          {pane === 'preview' && phone}
        </Column>
      </Tabs>
    </div>
  );
  if (!isMedium) return tabs;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_22rem] gap-3">
      <Column className="mt-9 bg-transparent!">{phone}</Column>
      {tabs}
    </div>
  );
}
