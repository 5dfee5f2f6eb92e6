/**
 * True unless another deployment stores the project. Required in every statement that finds or claims work for a job.
 * `project` is a qualified column, or a parameter such as `$1`.
 */
export function isHere(project: string): string {
  return `NOT EXISTS (SELECT 1 FROM project_locations l WHERE l.project_id = ${project})`;
}
