import { api, call } from '../api/client.js';
import type { Schema } from '../api/types.js';
import { useWrite } from '../api/write.js';

export const useCreateProject = (onDone: (project: Schema<'ProjectDto'>) => void) =>
  useWrite({
    send: (body: Schema<'CreateProjectDto'>, headers) => call(api.POST('/v2/projects', { body, headers })),
    onDone,
  });

export const useSignOut = (onDone: () => void) =>
  useWrite({ send: () => call(api.POST('/auth/logout')), onDone });
