import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../api/client.js';
import { allItems } from '../api/paging.js';
import type { Schema } from '../api/types.js';
import { useWrite } from '../api/write.js';

export type TargetingRule = Schema<'TargetingRuleDto'>;
export type RuleState = TargetingRule['state'];
export type Evaluation = Schema<'TargetingEvaluationDto'>;
export type RuleBody = Schema<'CreateTargetingRuleDto'>;

const inProject = (projectId: string) => ({ path: { project_id: projectId } });
const ofRule = (projectId: string, ruleId: string) => ({ path: { project_id: projectId, rule_id: ruleId } });
const staleRules = (projectId: string) => [[projectId, 'targeting']];

/** All rules: live and scheduled ones in order of evaluation, then the others. */
export const rulesQuery = (projectId: string) =>
  queryOptions({
    queryKey: [projectId, 'targeting', 'rules'],
    queryFn: ({ signal }) =>
      allItems(
        (page) =>
          api.GET('/v2/projects/{project_id}/targeting_rules', {
            params: { ...inProject(projectId), query: page },
            signal,
          }),
        signal,
      ),
  });

export const useCreateRule = (projectId: string) =>
  useWrite({
    send: (body: RuleBody, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/targeting_rules', {
          params: inProject(projectId),
          body,
          headers,
        }),
      ),
    stale: () => staleRules(projectId),
  });

export const useUpdateRule = (projectId: string) =>
  useWrite({
    send: ({ id, ...body }: Schema<'UpdateTargetingRuleDto'> & { id: string }, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/targeting_rules/{rule_id}', {
          params: ofRule(projectId, id),
          body,
          headers,
        }),
      ),
    stale: () => staleRules(projectId),
  });

export const useDeleteRule = (projectId: string) =>
  useWrite({
    send: (id: string, headers) =>
      call(
        api.DELETE('/v2/projects/{project_id}/targeting_rules/{rule_id}', {
          params: ofRule(projectId, id),
          headers,
        }),
      ),
    stale: () => staleRules(projectId),
  });

/** Sends the ids of all live and scheduled rules, in order of evaluation. */
export const useReorderRules = (projectId: string) =>
  useWrite({
    send: (ids: string[], headers) =>
      call(
        api.PUT('/v2/projects/{project_id}/targeting_rules/priority_list', {
          params: inProject(projectId),
          body: { rule_ids: ids },
          headers,
        }),
      ),
    stale: () => staleRules(projectId),
  });

/** Changes nothing, so nothing is invalidated. */
export const useEvaluate = (projectId: string) =>
  useWrite({
    send: (body: Schema<'EvaluateTargetingDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/targeting_rules/actions/evaluate', {
          params: inProject(projectId),
          body,
          headers,
        }),
      ),
  });
