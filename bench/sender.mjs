import { Agent, request } from 'node:http';

const TIMEOUT_MS = 10_000;

/** Sends requests over a limited number of connections, which stay open; others wait for one. */
export function senderOver(connections) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return {
    /** @throws Error if there is no answer 10 s after a connection became free */
    send: (url, { method, headers, body }) =>
      new Promise((resolve, reject) => {
        let timer;
        let isAnswered = false;
        const fail = (error) => {
          clearTimeout(timer);
          reject(error);
        };
        const sent = request(url, { agent, method, headers }, (response) => {
          isAnswered = true;
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (part) => (text += part));
          response.on('error', fail);
          response.on('end', () => {
            clearTimeout(timer);
            resolve({ status: response.statusCode, text });
          });
        });
        // An answer may have arrived while this process got no processor time; it is read before `setImmediate`.
        const giveUp = () => setImmediate(() => isAnswered || sent.destroy(new Error('no answer for 10 s')));
        // Not while it waits for a connection.
        sent.on('socket', () => (timer = setTimeout(giveUp, TIMEOUT_MS)));
        sent.on('error', fail);
        sent.end(body);
      }),
    close: () => agent.destroy(),
  };
}
