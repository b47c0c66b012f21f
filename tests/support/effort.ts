/** The processor time that some work takes, ms, which doesn't depend on how busy the machine is. */
export async function effortMs(work: () => unknown): Promise<number> {
  const begun = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(begun)
  return (user + system) / 1_000
}
