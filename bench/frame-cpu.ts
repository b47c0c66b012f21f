interface TraceEvent {
  name: string
  ph: string
  pid: number
  tid: number
  /** Begin and length, µs. */
  ts: number
  dur?: number
  /** CPU time, µs. */
  tdur?: number
}

/** The categories of Chromium's trace that this reads. */
export const traced = ['toplevel', 'devtools.timeline']

/**
 * What each frame cost the page's main thread in CPU time, ms, from a trace of Chromium. Unlike the time between frames, it
 * isn't longer on a machine that is busy with other things.
 */
export function frameCpu(trace: Buffer): number[] {
  const { traceEvents } = JSON.parse(trace.toString('utf8')) as { traceEvents: TraceEvent[] }
  const first = traceEvents.find(({ name }) => name === 'FireAnimationFrame')
  if (first === undefined) throw new Error('The trace has no frames.')
  const mine = traceEvents.filter(({ pid, tid }) => pid === first.pid && tid === first.tid).sort((a, b) => a.ts - b.ts)
  const ticks = mine.filter(({ name }) => name === 'FireAnimationFrame').map(({ ts }) => ts)
  const frames = new Map<number, number>()
  let frame = 0
  for (const { name, ph, ts, dur = 0, tdur = 0 } of mine) {
    if (ph !== 'X' || name !== 'ThreadControllerImpl::RunTask') continue
    // A frame begins with the task that runs its callbacks.
    while ((ticks[frame] ?? Number.POSITIVE_INFINITY) <= ts + dur) frame += 1
    frames.set(frame, (frames.get(frame) ?? 0) + tdur / 1000)
  }
  return [...frames.values()]
}
