import { Menu } from '../../ui/overlays/menu.js';

export function HelpMenu({ onShowKeys }: { onShowKeys: () => void }) {
  return (
    <Menu
      label="Help"
      iconOnly
      icon="help"
      items={[
        { label: 'API documentation', icon: 'code', href: '/docs' },
        { label: 'Keyboard shortcuts', hint: '?', icon: 'list', onSelect: onShowKeys },
      ]}
    />
  );
}
