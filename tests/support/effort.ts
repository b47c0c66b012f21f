/** Processor time that some work takes, in ms: what others do on the machine does not count. */
export async function effortMs(work: () => unknown): Promise<number> {
  const begun = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(begun)
  return (user + system) / 1_000
}
