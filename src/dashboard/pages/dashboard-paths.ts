/** Paths that are pages of the dashboard, with all below them. A test compares it with the router. */
export const dashboardPaths = [
  '/login',
  '/signup',
  '/reset-password',
  '/stop-digest',
  '/verify-email',
  '/change-email',
  '/invite',
  '/account',
  '/new',
  '/projects',
  '/organizations',
  '/no-access',
];
