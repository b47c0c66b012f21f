export interface Looking {
  start(): void
  /** Resolves when the current look has ended. */
  stop(): Promise<void>
  /** It concerns this process alone, which goes on looking while it is drained. */
  isOwn?: boolean
}

export interface LookingOften extends Looking {
  /** Looks at once, unless a look is under way. */
  now(): void
}

/** Runs `look` again and again, never twice at a time. Errors are reported and don't stop it. */
export function lookOften(everyMs: number, look: () => Promise<void>, report: (thrown: unknown) => void): LookingOften {
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
    now() {
      if (timer !== undefined) tick()
    },
    start() {
      tick()
      timer = setInterval(tick, everyMs)
    },
    async stop() {
      clearInterval(timer)
      timer = undefined
      await current
    },
  }
}
