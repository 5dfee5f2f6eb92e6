const PROJECTS = ['unit', 'e2e', 'browser'];

/** Whether the pattern also matches the folder of the checkout, and so every file in it. */
function matchesFolder(pattern, root) {
  try {
    return new RegExp(pattern, 'i').test(root);
  } catch {
    return false;
  }
}

/**
 * Jest's arguments for those of `npm test`. Without a choice of projects they are the unit and end-to-end tests. Words
 * choose files by a part of their path, and may also stand after `--selectProjects`, where Jest alone takes each of
 * them for a project.
 */
export function jestArguments(args, root) {
  const projects = [];
  const others = [];
  let selecting = false;
  for (const arg of args) {
    if (arg === '--selectProjects') selecting = true;
    else if (arg.startsWith('--selectProjects=')) projects.push(arg.slice('--selectProjects='.length));
    else if (selecting && PROJECTS.includes(arg)) projects.push(arg);
    else {
      selecting = false;
      const isWord = /^[\w-]+$/.test(arg) && !arg.startsWith('-');
      // Jest matches absolute paths too; this matches only those relative to the checkout.
      others.push(isWord && matchesFolder(arg, root) ? `^(?!/).*${arg}` : arg);
    }
  }
  if (projects.length === 0) projects.push('unit', 'e2e');
  return [...others, '--selectProjects', ...projects];
}
