import { parentPort, workerData } from 'node:worker_threads';
import { NotGenuine } from './not-genuine.js';
import type { ReadAnswer, ReadTask } from './receipt-reader.js';
import { readToken } from './receipt-token.js';
import { receiptRoots } from './roots.js';

/** The thread in which ReceiptReader reads large receipts. */
const { extraRoots } = workerData as { extraRoots: Uint8Array[] };
const roots = receiptRoots(extraRoots.map((der) => Buffer.from(der)));

function answerTo({ token, app, nowMs }: ReadTask): ReadAnswer {
  try {
    return { read: readToken(token, app, roots, nowMs) };
  } catch (error) {
    if (error instanceof NotGenuine) return { notGenuine: error.message };
    throw error;
  }
}

parentPort?.on('message', (task: ReadTask) => parentPort?.postMessage(answerTo(task)));
