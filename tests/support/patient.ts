/** For `vi.waitFor`: what is waited for comes, however busy the machine is. `expect.poll` has the same in vitest.config.ts. */
export const patient = { timeout: 50_000, interval: 20 }
