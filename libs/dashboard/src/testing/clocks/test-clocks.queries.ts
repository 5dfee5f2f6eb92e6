import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../../api/client.js';
import { pagedQuery } from '../../api/paging.js';
import type { Schema } from '../../api/types.js';
import { useWrite } from '../../api/write.js';

export type TestClock = Schema<'TestClockDto'>;
export type ClockEvent = Schema<'EventDto'>;
export type PlanStep = TestClock['plan'][number];

const clocksKey = (projectId: string) => [projectId, 'test-clocks'];
const ADVANCING_POLL_MS = 500;

export const testClocksQuery = (projectId: string) =>
  pagedQuery([...clocksKey(projectId), 'list'], (page, signal) =>
    api.GET('/v2/projects/{project_id}/test_clocks', {
      params: {
        path: { project_id: projectId },
        query: page,
      },
      signal,
    }),
  );

const pathOf = (projectId: string, clockId: string) => ({
  path: { project_id: projectId, test_clock_id: clockId },
});

export const testClockQuery = (projectId: string, clockId: string) =>
  queryOptions({
    queryKey: [...clocksKey(projectId), 'one', clockId],
    queryFn: ({ signal }) =>
      call(
        api.GET('/v2/projects/{project_id}/test_clocks/{test_clock_id}', {
          params: pathOf(projectId, clockId),
          signal,
        }),
      ),
    refetchInterval: ({ state }) => (state.data?.status === 'advancing' ? ADVANCING_POLL_MS : false),
  });

/** Events of the customers on a clock, newest first. */
export const clockEventsQuery = (projectId: string, clockId: string, isAdvancing: boolean) =>
  pagedQuery(
    [...clocksKey(projectId), 'one', clockId, 'events'],
    (page, signal) =>
      api.GET('/v2/projects/{project_id}/events', {
        params: { path: { project_id: projectId }, query: { test_clock_id: clockId, ...page } },
        signal,
      }),
    () => isAdvancing && ADVANCING_POLL_MS,
  );

export const useCreateClock = (projectId: string) =>
  useWrite({
    send: (body: Schema<'CreateTestClockDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/test_clocks', {
          params: { path: { project_id: projectId } },
          body,
          headers,
        }),
      ),
    stale: () => [clocksKey(projectId)],
  });

export const useUpdateClock = (projectId: string, clockId: string) =>
  useWrite({
    send: (body: Schema<'UpdateTestClockDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/test_clocks/{test_clock_id}', {
          params: pathOf(projectId, clockId),
          body,
          headers,
        }),
      ),
    stale: () => [clocksKey(projectId)],
  });

export const useAdvanceClock = (projectId: string, clockId: string, onDone: (clock: TestClock) => void) =>
  useWrite({
    send: (body: Schema<'AdvanceTestClockDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/test_clocks/{test_clock_id}/actions/advance', {
          params: pathOf(projectId, clockId),
          body,
          headers,
        }),
      ),
    stale: () => [clocksKey(projectId)],
    onDone,
  });

export const useAttachCustomer = (projectId: string, clockId: string) =>
  useWrite({
    send: (body: Schema<'AttachCustomerDto'>, headers) =>
      call(
        api.POST('/v2/projects/{project_id}/test_clocks/{test_clock_id}/actions/attach_customer', {
          params: pathOf(projectId, clockId),
          body,
          headers,
        }),
      ),
    stale: () => [clocksKey(projectId)],
  });

export const useDeleteClock = (projectId: string) =>
  useWrite({
    send: (clockId: string, headers) =>
      call(
        api.DELETE('/v2/projects/{project_id}/test_clocks/{test_clock_id}', {
          params: pathOf(projectId, clockId),
          headers,
        }),
      ),
    stale: () => [[...clocksKey(projectId), 'list']],
  });
