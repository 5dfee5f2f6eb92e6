import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import { isReady } from './fleet.mjs';

const POLL_MS = 250;
/** A process that is slow to answer, with all of the machine, has not said that it wants no requests. */
const ANSWER_WITHIN_MS = 60_000;

/**
 * A load balancer as they commonly are: asks `/readyz` of every process every 250 ms, sends requests in turn to those
 * that were ready, and repeats none.
 */
export async function startProxy(members) {
  const agent = new Agent({ keepAlive: true });
  const ready = new Set(members);
  const polls = members.map((member) => {
    const poll = async () => {
      if (await isReady(member, ANSWER_WITHIN_MS)) ready.add(member);
      else ready.delete(member);
    };
    void poll();
    return setInterval(() => void poll(), POLL_MS);
  });
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    const choices = [...ready];
    const fail = () => {
      if (!outgoing.headersSent) outgoing.writeHead(502);
      outgoing.end();
    };
    if (choices.length === 0) return fail();
    const { port } = choices[turn++ % choices.length];
    const { method, url: path, headers } = incoming;
    const onward = request({ host: '127.0.0.1', port, method, path, headers, agent }, (answer) => {
      outgoing.writeHead(answer.statusCode, { ...answer.headers, connection: 'keep-alive' });
      answer.on('error', fail);
      answer.pipe(outgoing);
    });
    onward.on('error', fail);
    incoming.pipe(onward);
  });
  // An idle connection that ends just when a request comes would be a fault of this proxy.
  server.keepAliveTimeout = 120_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    isReady: (member) => ready.has(member),
    close() {
      for (const poll of polls) clearInterval(poll);
      agent.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}
