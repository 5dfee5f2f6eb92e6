import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
// Every page with a form needs it, so the entry file includes it and saves a request.
import './api/write.js';
import { FormatProvider } from './frame/format.js';
import { PreferencesProvider } from './frame/preferences.js';
import { createQueryClient } from './frame/queries.js';
import { Session } from './frame/session/session.js';
import { SessionContext } from './frame/session/session-context.js';
import { watchForMissingFiles } from './frame/stale-assets.js';
import { createAppRouter } from './routes/router.js';
import './styles/styles.css';
import { ToastProvider } from './ui/overlays/toast.js';

watchForMissingFiles();
const queries = createQueryClient(() => session);
const router = createAppRouter(queries);
const session = new Session(queries, router);

createRoot(document.getElementById('app')!).render(
  <StrictMode>
    <PreferencesProvider>
      <FormatProvider>
        <QueryClientProvider client={queries}>
          <SessionContext value={session}>
            <ToastProvider>
              <RouterProvider router={router} />
            </ToastProvider>
          </SessionContext>
        </QueryClientProvider>
      </FormatProvider>
    </PreferencesProvider>
  </StrictMode>,
);
