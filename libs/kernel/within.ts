/**
 * The result of `work` when it is there within `ms`, else `late`. Work goes on that is late; what becomes of it then is
 * nobody's concern any more.
 * @throws what `work` throws in time
 */
export async function within<Result, Late>(
  work: Promise<Result>,
  ms: number,
  late: Late,
): Promise<Result | Late> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<Late>((resolve) => {
    timer = setTimeout(() => resolve(late), ms);
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}
