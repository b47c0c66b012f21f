export interface Looking {
  start(): void
  /** Resolves when the look that is under way has ended. */
  stop(): Promise<void>
}

/** Does something again and again, never twice at a time. What it throws is reported, and it goes on. */
export function lookOften(everyMs: number, look: () => Promise<void>, report: (thrown: unknown) => void): Looking {
  let timer: NodeJS.Timeout | undefined
  let current: Promise<void> | undefined
  const tick = () => {
    current ??= look()
      .catch(report)
      .finally(() => {
        current = undefined
      })
  }
  return {
    start() {
      tick()
      timer = setInterval(tick, everyMs)
    },
    async stop() {
      clearInterval(timer)
      await current
    },
  }
}
