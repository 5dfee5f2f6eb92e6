import { once } from 'node:events';
import { connect } from 'node:net';
import { Agent } from 'undici';
import type { FileStoreEnvironment } from '../../../libs/file-stores/index.js';

export interface TestEnvironment extends FileStoreEnvironment {
  /** Pauses between retries; no test waits for them. */
  slept: number[];
  close(): Promise<void>;
}

/** Connections to this machine, whatever the host is called. */
export function testEnvironment(changes: Partial<FileStoreEnvironment> = {}): TestEnvironment {
  const dispatcher = new Agent({
    connect: { lookup: (_host, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]) },
  });
  const slept: number[] = [];
  return {
    connections: {
      dispatcher,
      connectSocket: async (host, port) => {
        const socket = connect({ host, port });
        await once(socket, 'connect');
        return socket;
      },
      refusalOf: () => null,
    },
    exportDirectory: null,
    projectId: 'proj1',
    now: () => Date.now(),
    sleep: (ms) => {
      slept.push(ms);
      return Promise.resolve();
    },
    random: () => 1,
    ...changes,
    slept,
    close: () => dispatcher.destroy(),
  };
}
