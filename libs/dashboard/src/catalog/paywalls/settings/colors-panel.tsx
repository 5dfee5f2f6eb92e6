import type { PaywallSettings } from '../paywall.types.js';
import { ColorDialog } from './color-dialog.js';
import { hexScheme } from './color-scheme.js';
import { SettingsPanel } from './settings-panel.js';

interface SettingsProps {
  projectId: string;
  settings: PaywallSettings;
}

function Swatch({ color }: { color: string }) {
  return (
    <span className="inline-flex items-center gap-2 font-mono text-sm">
      <span className="size-4 shrink-0 rounded-sm border border-edge" style={{ background: color }} />
      {color}
    </span>
  );
}

/** Colors by the names that documents use. */
export function ColorsPanel({ projectId, settings }: SettingsProps) {
  return (
    <SettingsPanel<Record<string, unknown>>
      {...{ projectId, settings }}
      field="colors"
      title="Colors"
      description="Components name them, so that one change here changes all paywalls."
      add="Add color"
      notEditable={(value) => (hexScheme(value) ? null : 'Gradients are changed through the API.')}
      columns={[
        {
          id: 'light',
          header: 'Color',
          width: '12rem',
          priority: 2,
          cell: ([, value]) => {
            const scheme = hexScheme(value);
            return scheme ? <Swatch color={scheme.light} /> : 'Gradient';
          },
        },
        {
          id: 'dark',
          header: 'In dark mode',
          width: '12rem',
          priority: 2,
          cell: ([, value]) => {
            const scheme = hexScheme(value);
            return scheme && <Swatch color={scheme.dark ?? scheme.light} />;
          },
        },
      ]}
      dialog={(name, onClose) => <ColorDialog {...{ projectId, settings, name, onClose }} />}
    />
  );
}
