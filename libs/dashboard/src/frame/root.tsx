import { Outlet } from '@tanstack/react-router';
import { SessionCover } from './session/session-notice.js';

export function Root() {
  return (
    <>
      <Outlet />
      <SessionCover />
    </>
  );
}
