import { onTestFinished, vi } from 'vitest'

/** Until the test ends, `Date` stands still, so that no window of a rate limit passes on a busy machine. */
export function holdTime(): void {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
}
