import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/**
 * A TCP proxy whose connections fall silent without an end on request, like those to a host that died or through
 * an address translation that was dropped.
 */
export async function startFreezingProxy(port, host = '127.0.0.1') {
  const pairs = new Set();
  const frozen = new Set();
  let isSilent = false;
  const freezePair = (pair) => {
    frozen.add(pair);
    for (const socket of pair) {
      socket.unpipe();
      socket.pause();
    }
  };
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (near) => {
    const far = connect({ port, host, allowHalfOpen: true });
    const pair = [near, far];
    pairs.add(pair);
    for (const socket of pair) {
      socket.on('error', () => pair.forEach((each) => each.destroy()));
      socket.on('close', () => {
        pairs.delete(pair);
        frozen.delete(pair);
      });
    }
    if (isSilent) return;
    near.pipe(far);
    far.pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: server.address().port,
    get connections() {
      return pairs.size;
    },
    /** Nothing goes through the connections there are any more; new ones work. */
    freeze() {
      for (const pair of pairs) freezePair(pair);
    },
    /** Ends what is frozen, as systems do that ask the other side now and again and hear nothing. */
    giveUpFrozen() {
      for (const pair of frozen) for (const socket of pair) socket.destroy();
    },
    /** The same as to freeze, for all that are still to come, too. */
    silence() {
      isSilent = true;
      for (const pair of pairs) freezePair(pair);
    },
    /** New connections work again. */
    speak() {
      isSilent = false;
    },
    close() {
      server.close();
      for (const pair of pairs) for (const socket of pair) socket.destroy();
    },
  };
}
