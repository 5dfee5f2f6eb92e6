import { acrossProjects } from '../statement.js';
import { ofSomeProjects, ReachableProjects } from './reachable-projects.js';

const due = acrossProjects(
  'test.due',
  `SELECT a.project_id FROM project_anchors a JOIN projects p ON p.id = a.project_id
   WHERE a.app_id = $1 AND EXISTS (SELECT 1 FROM digests WHERE digests.project_id = a.project_id)`,
);

const workerLost = (): Error =>
  Object.assign(new Error('connection to the remote node postgres@worker1:5432 failed'), { code: '08006' });

/** Two workers with two projects each. */
function cluster() {
  const down = new Set<string>();
  const asked: { name: string; values: unknown[] }[] = [];
  const projects = { worker1: ['proj1', 'proj2'], worker2: ['proj3', 'proj4'] };
  const answer = (name: string, [id]: unknown[]): unknown[] => {
    if (name === 'citus.projects_of_nodes')
      return Object.values(projects).map((projectIds) => ({ projectIds }));
    if (name === 'citus.probe') {
      const [node] = Object.entries(projects).find(([, ids]) => ids.includes(String(id))) ?? [''];
      if (down.has(node)) throw workerLost();
    }
    if (name === 'test.due' && down.size > 0) throw workerLost();
    return [];
  };
  const run = async <Row>({ name }: { name: string }, values: unknown[]): Promise<Row[]> => {
    asked.push({ name, values });
    return Promise.resolve(answer(name, values) as Row[]);
  };
  return { down, asked, run };
}

describe('statements across projects', () => {
  it('limits each distributed table to the given projects, and no other table', () => {
    const { name, text } = ofSomeProjects(due, 1);
    expect(name).toBe('test.due.reachable');
    expect(text).toContain(
      'FROM (SELECT * FROM project_anchors WHERE project_id = ANY ($2::text[])) a JOIN projects p ON',
    );
    expect(text).toContain('FROM (SELECT * FROM digests WHERE project_id = ANY ($2::text[])) digests WHERE');
  });

  it('reads the projects of the other workers while one is down, and all once it is back', async () => {
    const { down, asked, run } = cluster();
    let nowMs = 0;
    const reachable = new ReachableProjects(() => nowMs);
    const query = async (): Promise<{ name: string; values: unknown[] }[]> => {
      asked.length = 0;
      await reachable.query(due, ['app1'], run);
      return asked.filter(({ name }) => name.startsWith('test.'));
    };
    const whole = { name: 'test.due', values: ['app1'] };
    const ofWorker2 = { name: 'test.due.reachable', values: ['app1', ['proj3', 'proj4']] };
    expect(await query()).toEqual([whole]);
    down.add('worker1');
    expect(await query()).toEqual([whole, ofWorker2]);
    nowMs += 4_999;
    expect(await query()).toEqual([ofWorker2]);
    nowMs += 1;
    expect(await query()).toEqual([whole, ofWorker2]);
    down.clear();
    nowMs += 5_000;
    expect(await query()).toEqual([whole]);
    expect(await query()).toEqual([whole]);
  });

  it('fails with any other error', async () => {
    const failure = Object.assign(new Error('syntax error'), { code: '42601' });
    const query = new ReachableProjects().query(due, ['app1'], () => Promise.reject(failure));
    await expect(query).rejects.toBe(failure);
  });
});
