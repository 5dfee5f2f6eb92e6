/** First segments of the router. The server sends the page for these paths only (src/dashboard/pages/dashboard-paths.ts). */
export const dashboardPaths = [
  '/login',
  '/signup',
  '/reset-password',
  '/verify-email',
  '/change-email',
  '/invite',
  '/account',
  '/new',
  '/projects',
  '/organizations',
  '/no-access',
];
