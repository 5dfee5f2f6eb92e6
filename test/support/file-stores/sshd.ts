import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import ssh2 from 'ssh2';
import { freePort } from '../free-port.mjs';
import { fingerprintOf } from '../../../libs/file-stores/sftp/host-key.js';
import { startProgram, stopProgram } from './programs.js';

export interface SshdPeer {
  port: number;
  username: string;
  privateKey: string;
  hostKey: string;
  /** The folder in which the user may write. */
  folder: string;
  /** Replaces the server by one with another host key. */
  changeHostKey(): Promise<void>;
  /** Ends all connections and starts again. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

const SSHD = '/usr/sbin/sshd';
/** The user that Debian's package creates; `nobody` is locked in some images. */
const SSHD_USER = 'sshd';

interface User {
  name: string;
  uid?: number;
  gid?: number;
}

/** sshd of OpenSSH never runs as root here: without privileges it admits its own user only. */
function unprivilegedUser(): User {
  if (process.getuid?.() !== 0) return { name: userInfo().username };
  const idOf = (flag: string): number =>
    Number(spawnSync('id', [flag, SSHD_USER], { encoding: 'utf8' }).stdout);
  return { name: SSHD_USER, uid: idOf('-u'), gid: idOf('-g') };
}

function newKeys(): { private: string; public: string } {
  return ssh2.utils.generateKeyPairSync('ed25519');
}

function fingerprint(publicKey: string): string {
  return fingerprintOf(Buffer.from(publicKey.split(' ')[1] ?? '', 'base64'));
}

/** OpenSSH's server with one user, who signs in with a key. */
export async function startSshd(): Promise<SshdPeer> {
  const user = unprivilegedUser();
  const directory = await mkdtemp(join(tmpdir(), 'sshd-'));
  const folder = join(directory, 'files');
  await mkdir(folder);
  const userKeys = newKeys();
  const port = await freePort();

  async function write(name: string, text: string): Promise<string> {
    const path = join(directory, name);
    await writeFile(path, text);
    await chmod(path, 0o600);
    if (user.uid !== undefined && user.gid !== undefined) await chown(path, user.uid, user.gid);
    return path;
  }

  const authorized = await write('authorized_keys', `${userKeys.public}\n`);
  if (user.uid !== undefined && user.gid !== undefined) {
    await chown(folder, user.uid, user.gid);
    await chown(directory, user.uid, user.gid);
  }

  async function start(keys: {
    private: string;
  }): Promise<Awaited<ReturnType<typeof startProgram>>['child']> {
    const config = [
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${await write('host_key', keys.private)}`,
      `AuthorizedKeysFile ${authorized}`,
      'PidFile none',
      'StrictModes no',
      'UsePAM no',
      'PasswordAuthentication no',
      'KbdInteractiveAuthentication no',
      'Subsystem sftp internal-sftp',
      '',
    ].join('\n');
    const args = ['-D', '-e', '-f', await write('sshd_config', config)];
    const ready = /Server listening on 127\.0\.0\.1/;
    const { child } = await startProgram(SSHD, args, ready, process.env, user);
    return child;
  }

  let hostKeys = newKeys();
  let child = await start(hostKeys);

  async function stop(): Promise<void> {
    // Sessions are processes of their own.
    const sessions = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').split(' ');
    for (const pid of sessions.filter(Boolean)) process.kill(Number(pid), 'SIGKILL');
    await stopProgram(child);
  }

  const peer: SshdPeer = {
    port,
    username: user.name,
    privateKey: userKeys.private,
    hostKey: fingerprint(hostKeys.public),
    folder,
    changeHostKey: async () => {
      await stop();
      hostKeys = newKeys();
      peer.hostKey = fingerprint(hostKeys.public);
      child = await start(hostKeys);
    },
    restart: async () => {
      await stop();
      child = await start(hostKeys);
    },
    close: async () => {
      await stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
  return peer;
}
