import { importCommand, type ImportTask } from './import-command.js';

const target = { address: 'https://tenure.example.com', projectId: 'proj1', program: 'tenure' };
const flat = (task: ImportTask) => importCommand(task, target).replaceAll(' \\\n  ', ' ');

it.each<[ImportTask, string]>([
  ['try', 'tenure import --to https://tenure.example.com --to-project proj1 --dry-run'],
  ['import', 'tenure import --to https://tenure.example.com --to-project proj1'],
  ['tokens', 'tenure import --to https://tenure.example.com --to-project proj1 --google-tokens tokens.csv'],
  ['verify', 'tenure import verify --to https://tenure.example.com --to-project proj1'],
  ['plan', 'tenure import plan --to https://tenure.example.com --to-project proj1'],
])('prints the command of %s with this server and project, and no key', (task, command) => {
  expect(flat(task)).toBe(command);
});
