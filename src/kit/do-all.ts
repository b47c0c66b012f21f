/** Does one after the other, even if some of them fail. Then throws what the first failure threw. */
export async function doAll(steps: Iterable<() => Promise<unknown>>): Promise<void> {
  const failures: unknown[] = []
  for (const step of steps) await step().catch((thrown) => failures.push(thrown))
  if (failures.length > 0) throw failures[0]
}
