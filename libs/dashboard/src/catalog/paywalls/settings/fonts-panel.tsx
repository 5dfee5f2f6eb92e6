import { useQuery } from '@tanstack/react-query';
import { DataText } from '../../../ui/text/data-text.js';
import type { PaywallSettings } from '../paywall.types.js';
import { mediaAssetsQuery } from '../paywalls.queries.js';
import { FontDialog } from './font-dialog.js';
import { fontWeights, type SettingsFont } from './settings-font.js';
import { SettingsPanel } from './settings-panel.js';

const cutText = ({ weight, style }: SettingsFont): string =>
  `${fontWeights[weight] ?? weight}${style === 'italic' ? ', italic' : ''}`;

/** Uploaded fonts by the names that documents use. */
export function FontsPanel({ projectId, settings }: { projectId: string; settings: PaywallSettings }) {
  const hasFonts = Object.keys(settings.fonts).length > 0;
  const { data: assets } = useQuery({ ...mediaAssetsQuery(projectId), enabled: hasFonts });
  const fileOf = (id: string) => assets?.find((asset) => asset.id === id)?.filename;
  return (
    <SettingsPanel<SettingsFont>
      {...{ projectId, settings }}
      field="fonts"
      title="Fonts"
      description="Files that apps load with a paywall."
      add="Add font"
      columns={[
        {
          id: 'family',
          header: 'Family',
          width: '12rem',
          priority: 2,
          cell: ([, { family }]) => <DataText truncate>{family}</DataText>,
        },
        { id: 'cut', header: 'Weight', width: '12rem', priority: 2, cell: ([, font]) => cutText(font) },
        {
          id: 'file',
          header: 'File',
          priority: 3,
          cell: ([, { media_asset_id: id }]) => <DataText truncate>{fileOf(id)}</DataText>,
        },
      ]}
      dialog={(name, onClose) => <FontDialog {...{ projectId, settings, name, onClose }} />}
    />
  );
}
