import { loadConfig } from '../../../platform/config/config.js';
import { MAX_SIGN_INS, SignInQueueService } from './sign-in-queue.service.js';

describe('the queue of sign-ins', () => {
  it('refuses more than can be hashed in about two seconds, until one has ended', async () => {
    const queue = new SignInQueueService(loadConfig({}));
    const ends: (() => void)[] = [];
    const work = () => new Promise<void>((resolve) => ends.push(resolve));
    const inside = Array.from({ length: MAX_SIGN_INS }, () => queue.run(work));
    await expect(queue.run(work)).rejects.toMatchObject({ kind: 'overloaded', status: 503 });
    ends.pop()!();
    await inside.pop();
    inside.push(queue.run(work));
    await expect(queue.run(work)).rejects.toMatchObject({ kind: 'overloaded' });
    for (const end of ends) end();
    await Promise.all(inside);
  });

  it('never takes more than a quarter of the requests that a process works on', async () => {
    const queue = new SignInQueueService(loadConfig({ SERVICE_MAX_REQUESTS_IN_FLIGHT: '8' }));
    let end = (): void => undefined;
    const work = () => new Promise<void>((resolve) => (end = resolve));
    const first = queue.run(() => Promise.resolve());
    const second = queue.run(work);
    await expect(queue.run(work)).rejects.toMatchObject({ kind: 'overloaded' });
    end();
    await Promise.all([first, second]);
  });

  it('takes the place of failed work for the next', async () => {
    const queue = new SignInQueueService(loadConfig({}));
    for (let count = 0; count < 2 * MAX_SIGN_INS; count++) {
      await expect(queue.run(() => Promise.reject(new Error('wrong')))).rejects.toThrow('wrong');
    }
  });
});
