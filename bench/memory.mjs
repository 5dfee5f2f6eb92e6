const SAMPLE_MS = 20;

/** What `work` returns, and the resident memory (MB) of a process before it and at most during it. */
export async function withMemory(pid, rssMb, work) {
  const beforeMb = rssMb(pid);
  let mostMb = beforeMb;
  const sampling = setInterval(() => (mostMb = Math.max(mostMb, rssMb(pid))), SAMPLE_MS);
  try {
    return { result: await work(), beforeMb, mostMb };
  } finally {
    clearInterval(sampling);
  }
}
