import { Outlet } from '@tanstack/react-router';
import { SessionCover } from './session-notice.js';

export function Root() {
  return (
    <>
      <Outlet />
      <SessionCover />
    </>
  );
}
