import { queryOptions } from '@tanstack/react-query';
import { allApps, storeSettingsOf } from '../api/apps.queries.js';
import { api, call } from '../api/client.js';
import type { Schema } from '../api/types.js';
import { useWrite } from '../api/write.js';
import { type AppAnswers, type AskingType, type Consent, type Handling, isAsking } from './app-answers.js';

async function answersOf(
  projectId: string,
  app: { id: string; name: string; type: AskingType },
  signal: AbortSignal,
): Promise<AppAnswers> {
  const settings = await storeSettingsOf(projectId, app.id, signal);
  const { refund_request_handling: handling, refund_data_consent: consent } = settings;
  return { id: app.id, name: app.name, type: app.type, handling, consent };
}

/** The apps whose stores ask about refunds, with their settings. */
export const answersQuery = (projectId: string) =>
  queryOptions({
    queryKey: [projectId, 'apps', 'answers'],
    queryFn: async ({ signal }) => {
      const apps = await allApps(projectId, signal);
      return Promise.all(
        apps.flatMap(({ id, name, type }) =>
          isAsking(type) ? answersOf(projectId, { id, name, type }, signal) : [],
        ),
      );
    },
  });

interface Change {
  refund_request_handling?: Handling;
  refund_data_consent?: Consent;
}

/** The body of the call: the store's object has the name of the app's type. */
export const answersBody = ({ type }: Pick<AppAnswers, 'type'>, change: Change): Schema<'UpdateAppDto'> => ({
  [type]: change,
});

export const useChangeAnswers = (projectId: string) =>
  useWrite({
    send: ({ app, change }: { app: AppAnswers; change: Change }, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/apps/{app_id}', {
          params: { path: { project_id: projectId, app_id: app.id } },
          body: answersBody(app, change),
          headers,
        }),
      ),
    stale: () => [
      [projectId, 'apps'],
      [projectId, 'setup-health'],
    ],
  });
