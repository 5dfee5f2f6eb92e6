import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../../api/client.js';
import type { Schema } from '../../api/types.js';
import { useWrite } from '../../api/write.js';

export type RetentionMessage = Schema<'RetentionMessageDto'>;
export type RetentionRule = Schema<'RetentionRuleDto'>;
export type RetentionTest = Schema<'RetentionTestDto'>;
export type RuleCounts = Schema<'RetentionStatisticsDto'>['rules'][number];
export type StoreEnvironment = RetentionMessage['environment'];

export interface RetentionPlace {
  projectId: string;
  appId: string;
  environment: StoreEnvironment;
}

const PENDING_MS = 5_000;

const ofApp = ({ projectId, appId }: Pick<RetentionPlace, 'projectId' | 'appId'>) => ({
  path: { project_id: projectId, app_id: appId },
});
const keyOf = ({ projectId, appId }: Pick<RetentionPlace, 'projectId' | 'appId'>, ...rest: string[]) => [
  projectId,
  'apps',
  appId,
  'retention',
  ...rest,
];

export const retentionMessagesQuery = (place: RetentionPlace) =>
  queryOptions({
    queryKey: keyOf(place, 'messages', place.environment),
    queryFn: ({ signal }) =>
      call(
        api.GET('/v2/projects/{project_id}/apps/{app_id}/retention_messages', {
          params: { ...ofApp(place), query: { environment: place.environment } },
          signal,
        }),
      ),
  });

/** All rules of the app, of both environments, in order of evaluation. */
export const retentionRulesQuery = (place: RetentionPlace) =>
  queryOptions({
    queryKey: keyOf(place, 'rules'),
    queryFn: ({ signal }) =>
      call(
        api.GET('/v2/projects/{project_id}/apps/{app_id}/retention_rules', {
          params: ofApp(place),
          signal,
        }),
      ),
  });

export const retentionStatisticsQuery = (place: RetentionPlace) =>
  queryOptions({
    queryKey: keyOf(place, 'statistics', place.environment),
    queryFn: ({ signal }) =>
      call(
        api.GET('/v2/projects/{project_id}/apps/{app_id}/retention_messages/statistics', {
          params: { ...ofApp(place), query: { environment: place.environment } },
          signal,
        }),
      ),
  });

/** Polls until Apple's test has ended. */
export const retentionTestQuery = (place: Pick<RetentionPlace, 'projectId' | 'appId'>, testId: string) =>
  queryOptions({
    queryKey: keyOf(place, 'tests', testId),
    queryFn: ({ signal }) =>
      call(
        api.GET('/v2/projects/{project_id}/apps/{app_id}/retention_messages/tests/{test_id}', {
          params: { path: { ...ofApp(place).path, test_id: testId } },
          signal,
        }),
      ),
    refetchInterval: ({ state: { data } }) => (data?.state === 'pending' ? PENDING_MS : false),
  });

export const useCreateMessage = (place: RetentionPlace) =>
  useWrite({
    send: (body: Schema<'CreateRetentionMessageDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/apps/{app_id}/retention_messages', {
          params: ofApp(place),
          body,
          headers,
        }),
      ),
    stale: () => [keyOf(place, 'messages')],
  });

export const useDeleteMessage = (place: RetentionPlace) =>
  useWrite({
    send: (id: string, headers) =>
      call(
        api.DELETE('/v2/projects/{project_id}/apps/{app_id}/retention_messages/{message_id}', {
          params: {
            path: { ...ofApp(place).path, message_id: id },
            query: { environment: place.environment },
          },
          headers,
        }),
      ),
    stale: () => [keyOf(place, 'messages')],
  });

export const useSetDefault = (place: RetentionPlace) =>
  useWrite({
    send: (body: Schema<'SetRetentionDefaultDto'>, headers) =>
      call(
        api.PUT('/v2/projects/{project_id}/apps/{app_id}/retention_messages/default', {
          params: ofApp(place),
          body,
          headers,
        }),
      ),
  });

const ofRule = (place: RetentionPlace, id: string) => ({
  path: { ...ofApp(place).path, retention_rule_id: id },
});
const staleRules = (place: RetentionPlace) => [keyOf(place, 'rules'), keyOf(place, 'statistics')];

export const useCreateRule = (place: RetentionPlace) =>
  useWrite({
    send: (body: Schema<'CreateRetentionRuleDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/apps/{app_id}/retention_rules', {
          params: ofApp(place),
          body,
          headers,
        }),
      ),
    stale: () => staleRules(place),
  });

export const useUpdateRule = (place: RetentionPlace) =>
  useWrite({
    send: ({ id, ...body }: Schema<'UpdateRetentionRuleDto'> & { id: string }, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/apps/{app_id}/retention_rules/{retention_rule_id}', {
          params: ofRule(place, id),
          body,
          headers,
        }),
      ),
    stale: () => staleRules(place),
  });

export const useDeleteRule = (place: RetentionPlace) =>
  useWrite({
    send: (id: string, headers) =>
      call(
        api.DELETE('/v2/projects/{project_id}/apps/{app_id}/retention_rules/{retention_rule_id}', {
          params: ofRule(place, id),
          headers,
        }),
      ),
    stale: () => staleRules(place),
  });

/** Sends the ids of all rules of the app, in order of evaluation. */
export const useReorderRules = (place: RetentionPlace) =>
  useWrite({
    send: (ids: string[], headers) =>
      call(
        api.PUT('/v2/projects/{project_id}/apps/{app_id}/retention_rules/priority_list', {
          params: ofApp(place),
          body: { rule_ids: ids },
          headers,
        }),
      ),
    stale: () => staleRules(place),
  });

export const useRegisterAddress = (place: RetentionPlace) =>
  useWrite({
    send: (body: Schema<'ConfigureRetentionUrlDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/apps/{app_id}/retention_messages/actions/configure_url', {
          params: ofApp(place),
          body,
          headers,
        }),
      ),
  });

export const useStartTest = (place: Pick<RetentionPlace, 'projectId' | 'appId'>) =>
  useWrite({
    send: (body: Schema<'StartRetentionTestDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/apps/{app_id}/retention_messages/actions/test', {
          params: ofApp(place),
          body,
          headers,
        }),
      ),
  });
