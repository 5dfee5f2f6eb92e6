import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useWrite } from '../api/write.js';
import type { CallError } from '../api/call-error.js';
import { doneSteps, type SampleStep, sampleSteps } from './sample-catalog.js';
import { sendSampleStep, type SampleTarget } from './send-sample.js';
import { catalogQuery } from './setup.queries.js';

export interface SampleRun {
  isRunning: boolean;
  /** The running or failed call. */
  step: SampleStep | null;
  error: CallError | null;
  /** Creates missing objects one at a time; after a failure it continues where it stopped. */
  run: () => void;
}

/** The cached catalog determines which calls are done. */
export function useSampleCatalog(target: SampleTarget, onDone: () => void): SampleRun {
  const queries = useQueryClient();
  const query = catalogQuery(target.projectId, target.appId);
  const [isRunning, setIsRunning] = useState(false);
  const write = useWrite({
    send: async (step: SampleStep, headers) => {
      const catalog = await queries.ensureQueryData(query);
      return sendSampleStep(step, target, catalog, headers);
    },
    onDone: (catalog) => queries.setQueryData(query.queryKey, catalog),
  });
  const makeAll = async () => {
    setIsRunning(true);
    try {
      // Someone else may have created parts of it since.
      const catalog = await queries.fetchQuery({ ...query, staleTime: 0 });
      const done = doneSteps(catalog);
      for (const step of sampleSteps) if (!done.has(step)) await write.mutateAsync(step);
      // The catalog's own pages read it again.
      void queries.invalidateQueries({ queryKey: [target.projectId], refetchType: 'none' });
      onDone();
    } catch {
      // The error is shown from `write.error` or the query.
    } finally {
      setIsRunning(false);
    }
  };
  return {
    isRunning,
    step: write.isPending || write.isError ? (write.variables ?? null) : null,
    error: write.error,
    run: () => void makeAll(),
  };
}
