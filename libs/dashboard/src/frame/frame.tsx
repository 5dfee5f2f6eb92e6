import { Outlet, useLocation, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { IconButton } from '../ui/button.js';
import { iconPaths } from '../ui/icon-paths.js';
import { provideIcons } from '../ui/icons.js';
import { whenIdle } from '../ui/overlays/when-idle.js';
import { loadApiCalls } from './api-calls/api-calls.js';
import { EnvironmentSwitch } from './navigation/environment-switch.js';
import { jobs, useJobs } from './jobs/jobs.js';
import { useFrameKeys } from './palette/keyboard.js';
import { OfflineNote } from './offline-note.js';
import { usePreferences } from './preferences.js';
import { SessionEndNote } from './session/session-end-note.js';
import { SideNavigation } from './navigation/side-navigation.js';
import { SkipLink, TopBar } from './navigation/top-bar.js';
import { UpdateNote } from './update-note.js';

provideIcons(iconPaths);

const loadPalette = () => import('./palette/palette.js').then(({ Palette: page }) => ({ default: page }));
const loadKeyList = () => import('./palette/key-list.js').then(({ KeyList: page }) => ({ default: page }));
const loadJobStrip = () => import('./jobs/job-strip.js').then(({ JobStrip: page }) => ({ default: page }));
const OrganizationNavigation = lazy(() => import('./navigation/organization-navigation.js'));
const Palette = lazy(loadPalette);
const KeyList = lazy(loadKeyList);
const JobStrip = lazy(loadJobStrip);

/** Prefetches parts that must also open while the server is unreachable. */
const fetchParts = () =>
  void Promise.all([loadPalette(), loadKeyList(), loadJobStrip(), loadApiCalls()]).catch(() => undefined);

/** The frame of every page for a signed-in person. */
export default function Frame() {
  const { projectId, orgId } = useParams({ strict: false });
  const { pathname } = useLocation();
  const { preferences, change } = usePreferences();
  const [open, setOpen] = useState<'palette' | 'keys' | null>(null);
  // Closes the mobile menu when the page changes.
  const [menuOf, setMenuOf] = useState<string | null>(null);
  const isMenuOpen = menuOf === pathname;
  const isCollapsed = preferences.isNavigationCollapsed;
  const look = { isCollapsed: isCollapsed && !isMenuOpen, onFollow: () => setMenuOf(null) };
  const allJobs = useJobs();
  useEffect(() => whenIdle(fetchParts), []);
  // The frame unmounts with the session, and the next one may be another person's.
  useEffect(() => () => jobs.clear(), []);
  useFrameKeys({ projectId, openPalette: () => setOpen('palette'), showKeys: () => setOpen('keys') });
  return (
    <div className="flex min-h-screen flex-col">
      <SkipLink />
      <TopBar
        onMenu={() => setMenuOf(isMenuOpen ? null : pathname)}
        isMenuOpen={isMenuOpen}
        onSearch={() => setOpen('palette')}
        onShowKeys={() => setOpen('keys')}
      />
      <OfflineNote />
      <SessionEndNote />
      <UpdateNote />
      <div className="flex min-w-0 grow">
        {(projectId ?? orgId) !== undefined && (
          <nav
            aria-label={projectId === undefined ? 'Organization' : 'Project'}
            className={`sticky top-12 h-[calc(100vh-3rem)] shrink-0 overflow-y-auto border-e border-line bg-panel max-md:fixed max-md:inset-s-0 max-md:z-20 max-md:w-64 ${isCollapsed ? 'md:w-[3.25rem]' : 'md:w-56'} ${isMenuOpen ? '' : 'max-md:hidden'}`}
            onKeyDown={({ key }) => key === 'Escape' && setMenuOf(null)}
          >
            {projectId === undefined ? (
              <Suspense>
                <OrganizationNavigation {...look} />
              </Suspense>
            ) : (
              <>
                <div className="flex items-center gap-2 border-b border-line p-3 md:hidden">
                  <span aria-hidden="true" className="text-sm text-muted">
                    Environment
                  </span>
                  <EnvironmentSwitch />
                </div>
                <SideNavigation projectId={projectId} {...look} />
              </>
            )}
            <div className="px-2 pb-3 max-md:hidden">
              <IconButton
                icon="sidebar"
                label={isCollapsed ? 'Show the navigation in full' : 'Collapse the navigation'}
                aria-expanded={!isCollapsed}
                onClick={() => change({ isNavigationCollapsed: !isCollapsed })}
              />
            </div>
          </nav>
        )}
        {isMenuOpen && (
          <div
            aria-hidden="true"
            className="fixed inset-0 top-12 z-10 bg-overlay md:hidden"
            onClick={() => setMenuOf(null)}
          />
        )}
        <main tabIndex={-1} className="mx-auto w-full max-w-[90rem] min-w-0 p-6 outline-none max-md:p-4">
          <Outlet />
        </main>
      </div>
      <Suspense>
        {allJobs.length > 0 && <JobStrip all={allJobs} />}
        {open === 'palette' && <Palette onClose={() => setOpen(null)} />}
        {open === 'keys' && <KeyList onClose={() => setOpen(null)} />}
      </Suspense>
    </div>
  );
}
