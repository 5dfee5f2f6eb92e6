import { useParams } from '@tanstack/react-router';
import { Button, IconButton } from '../../ui/button.js';
import { cx } from '../../ui/cx.js';
import { AccountMenu } from './account-menu.js';
import { ApiCallsButton } from '../api-calls/api-calls.js';
import { useEnvironment } from '../environment.js';
import { EnvironmentSwitch } from './environment-switch.js';
import { HelpMenu } from './help-menu.js';
import { ProjectSwitcher } from './project-switcher.js';

interface TopBarProps {
  onMenu: () => void;
  isMenuOpen: boolean;
  onSearch: () => void;
  onShowKeys: () => void;
}

export function TopBar({ onMenu, isMenuOpen, onSearch, onShowKeys }: TopBarProps) {
  const { projectId, orgId } = useParams({ strict: false });
  const { environment } = useEnvironment();
  return (
    <header
      className={cx(
        'sticky top-0 z-20 flex h-12 items-center gap-2 border-b bg-panel px-3',
        environment === 'production' ? 'border-line' : 'border-warn shadow-[0_1px_0_var(--warn)]',
      )}
    >
      {(projectId ?? orgId) !== undefined && (
        <span className="md:hidden">
          <IconButton icon="menu" label="Navigation" aria-expanded={isMenuOpen} onClick={onMenu} />
        </span>
      )}
      <ProjectSwitcher />
      {projectId !== undefined && (
        <>
          <button
            type="button"
            onClick={onSearch}
            aria-keyshortcuts="Control+K"
            className="mx-auto flex h-8 w-full max-w-md items-center gap-2 rounded-md border border-line bg-bg px-2.5 text-start text-muted hover:bg-hover max-md:hidden"
          >
            <span className="truncate">Search customers, orders, pages</span>
            <kbd className="ms-auto font-sans text-xs">Ctrl K</kbd>
          </button>
          <span className="ms-auto md:hidden">
            <IconButton icon="search" label="Search customers, orders, pages" onClick={onSearch} />
          </span>
          <span className="max-md:hidden">
            <EnvironmentSwitch />
          </span>
        </>
      )}
      <span className={projectId === undefined ? 'ms-auto flex gap-1' : 'flex gap-1'}>
        <ApiCallsButton />
        <span className="max-md:hidden">
          <HelpMenu onShowKeys={onShowKeys} />
        </span>
        <AccountMenu />
      </span>
    </header>
  );
}

/** The first element in the tab order. */
export function SkipLink() {
  return (
    <Button
      className="fixed start-3 -top-16 z-30 focus:top-2"
      onClick={() => document.querySelector<HTMLElement>('main h1, main')?.focus()}
    >
      Skip to the content
    </Button>
  );
}
