import { SchedulerRegistry } from '@nestjs/schedule';
import type { DatabaseService } from '../../../platform/database/database.service.js';
import type { Statement } from '../../../platform/database/statement.js';
import { LogService } from '../../../platform/observability/log.service.js';
import { LastSeenRecorder } from './last-seen.recorder.js';
import { LastSeenRepository } from './last-seen.repository.js';

const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const device = {
  platform: 'iOS',
  platformFlavor: null,
  sdkVersion: null,
  platformVersion: null,
  appVersion: null,
  country: null,
};

describe('the recorder of when customers were seen', () => {
  /** Statements that were sent but not answered yet. */
  let open: { name: string; projectId: unknown; answer: () => void; fail: () => void }[];
  let recorder: LastSeenRecorder;

  beforeEach(() => {
    open = [];
    const query = ({ name }: Statement, [projectId]: unknown[]): Promise<unknown[]> =>
      new Promise((resolve, reject) => {
        open.push({
          name,
          projectId,
          answer: () => resolve([]),
          fail: () => reject(new Error('no database')),
        });
      });
    recorder = new LastSeenRecorder(
      { transaction: (work: (tx: object) => unknown) => work({ query }) } as unknown as DatabaseService,
      new LastSeenRepository(),
      new SchedulerRegistry(),
      new LogService('silent'),
    );
  });

  const answerAll = async (): Promise<string[]> => {
    const answered: string[] = [];
    for (let next = open.shift(); next; next = open.shift()) {
      answered.push(next.name);
      next.answer();
      await nextTick();
    }
    return answered;
  };

  it('ends only when everything is written, including writes in progress when it was stopped', async () => {
    recorder.recordContact('proj', 'ada', null, 1_000, device);
    void recorder.flush();
    await nextTick();
    let hasEnded = false;
    const ended = recorder.onApplicationShutdown().then(() => (hasEnded = true));
    await nextTick();
    expect([hasEnded, open.map(({ name }) => name)]).toEqual([false, ['customers.note_days']]);
    expect(await answerAll()).toEqual(['customers.note_days', 'customers.update_last_seen']);
    await ended;
  });

  it('writes each project alone, the one that failed after the others', async () => {
    for (const project of ['proj1', 'proj2', 'proj3']) {
      recorder.recordContact(project, 'ada', null, 1_000, device);
    }
    const failed = recorder.flush();
    await nextTick();
    expect(open.map(({ projectId }) => projectId)).toEqual(['proj1']);
    open.shift()?.fail();
    await nextTick();
    await answerAll();
    await failed;
    const again = recorder.flush();
    await nextTick();
    const days: unknown[] = [];
    for (let next = open.shift(); next; next = open.shift()) {
      days.push(next.projectId);
      next.answer();
      await nextTick();
    }
    expect(days).toEqual(['proj2', 'proj3', 'proj1']);
    await again;
  });

  it('continues after a failure, and sends nothing if no customer was seen', async () => {
    recorder.recordContact('proj', 'ada', null, 1_000, device);
    const failed = recorder.flush();
    await nextTick();
    open.shift()?.fail();
    await nextTick();
    expect(await answerAll()).toEqual(['customers.update_last_seen']);
    await failed;
    const again = recorder.flush();
    await nextTick();
    expect(await answerAll()).toEqual(['customers.note_days']);
    await again;
    await recorder.flush();
    expect(open).toEqual([]);
  });
});
